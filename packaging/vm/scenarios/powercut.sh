# The power goes amid kills; the machine boots again on the same disk.
# deadline: 240
. /payload/lib.sh

note_down() { printf '%-511s\n' "$2" | dd of=/dev/vdc bs=512 seek="$1" oflag=direct conv=notrunc 2>/dev/null; }
uptime_now() { cut -d' ' -f1 /proc/uptime; }

if [ "$VM_STAGE" = 1 ]; then
  mkdir /sys/fs/cgroup/cut
  echo +memory >/sys/fs/cgroup/cgroup.subtree_control
  echo 16M >/sys/fs/cgroup/cut/memory.max
  note_down 0 "boot $(boot_id)"
  for ((i = 1; i <= 24; i++)); do
    sh -c 'echo $$ >/sys/fs/cgroup/cut/cgroup.procs; exec /payload/hog -n cut anon 64000000' &
    wait $!
    note_down $i "killed $! $(uptime_now)"
    sleep 0.1
  done
  # What nobody flushed must be gone, or the cut was none.
  echo unflushed >/var/lib/unflushed
  note_down $((i)) "cut $(uptime_now)"
  say cut
  # What is stored from here on proves nothing: the power may be gone.
  sleep 600
fi

book=$(tr -d '\0' </dev/vdc)
boot=$(sed -n 's/^boot \([0-9a-f]*\).*/\1/p' <<<"$book")
cut=$(sed -n 's/^cut \([0-9.]*\).*/\1/p' <<<"$book")
is "$(cat /var/lib/unflushed 2>/dev/null)" '' 'the power cut was real'
is "$(systemctl is-active oomdoc.service)" active 'the daemon runs after the power cut'
is "$(sqlite3 /var/lib/oomdoc/oomdoc.db 'PRAGMA integrity_check')" ok 'the database is whole'
kept=$(incidents | jq -r --arg boot "$boot" 'select(.process.name == "cut" and .boot_id == $boot) | .process.pid')
late=0 missing=
while read -r _ pid at; do
  grep -qx "$pid" <<<"$kept" && continue
  if jq -en "$cut - $at <= 1" >/dev/null; then late=$((late + 1)); else missing="$missing $pid($(jq -n "$cut - $at") s)"; fi
done < <(grep '^killed' <<<"$book")
is "$missing" '' 'what was killed more than a second before is stored'
is "$(sort <<<"$kept" | uniq -d)" '' 'and nothing twice'
note "$(wc -l <<<"$kept") of 24 kept, $late of the last second lost"
run_unit again.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n again anon 64000000
wait_stored "$pid" 'the next kill'
