# A small machine without swap runs out again and again.
# deadline: 300
. /payload/lib.sh

process=$(daemon_pid)
memory() { sed -n 's/^RssAnon:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$process/status"; }
# Pages that had to be read from the disk, its own program's too (proc(5), majflt).
faults() { sed 's/.*) //' "/proc/$process/stat" | cut -d' ' -f10; }
rested=$(memory) faulted=$(faults)
full_soon
killed=$(kills)
count() { incidents | jq -c 'select(.process.name // "" | startswith("eater"))' | wc -l; }

rounds=12
for ((i = 0; i < rounds; i++)); do
  # In turn: one that eats, two that race, many that come one by one.
  case $((i % 3)) in
  0) /payload/hog -n "eater-$i" anon 4000000000 & wait $! ;;
  1)
    /payload/hog -n "eater-$i-a" anon 4000000000 & one=$!
    /payload/hog -n "eater-$i-b" anon 4000000000 & wait $! $one ;;
  2) /payload/hog -n "eater-$i" forks 4 4000000000 & wait $! ;;
  esac
done
killed=$(($(kills) - killed))
all_stored() { [ "$(count)" -ge "$killed" ]; }
within 90 all_stored
is "$(count)" "$killed" 'every kill is stored'
if [ $killed -ge $rounds ]; then ok 'the machine ran out in each round'; else fail "only $killed kills in $rounds rounds"; fi
is "$(daemon_pid)" "$process" 'the daemon never died'
is "$(systemctl show -p NRestarts --value oomdoc.service)" 0 'and never restarted'
is "$(oomdoc status -o json | jq '.daemon.kmsg.lost_ring + .daemon.kmsg.lost_queue')" 0 'and lost no record'
if [ "$(daemon_pid)" != "$process" ]; then
  journalctl -q -u oomdoc.service -o short-monotonic --no-pager | tail -n 12 | while IFS= read -r line; do note "$line"; done
  process=$(daemon_pid) faulted=0
fi
if [ "$(count)" != "$killed" ]; then
  note "the kernel's victims: $(dmesg | sed -n 's/.*Killed process [0-9]* (\([^)]*\)).*/\1/p' | sort | uniq -c | tr '\n' ' ')"
  note "what is stored: $(incidents | jq -r '.process.name // "-"' | sort | uniq -c | tr '\n' ' ')"
fi
note "$killed kills; the daemon's own memory was $rested kB before and is $(memory) kB now; it waited for the disk $(($(faults) - faulted)) times"
note "set aside for it: $(cat /sys/fs/cgroup/oomdoc.slice/oomdoc.service/memory.min 2>/dev/null || echo 0) bytes; in its group: $(sed -n 's/^\(anon\|file\) /\1 /p' "/sys/fs/cgroup$(cut -d: -f3 "/proc/$process/cgroup")/memory.stat" | tr '\n' ' ')"
