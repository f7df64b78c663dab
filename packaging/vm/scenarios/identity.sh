# One kill has one id, wherever and in whatever form it is read.
# deadline: 150
. /payload/lib.sh

wait_report
run_unit same.service -p MemoryMax=20M -p MemorySwapMax=0 /payload/hog -n same anon 64000000
wait_stored "$pid" 'the kill'
live=$(field "$got" .id)
within 20 eval "journalctl -k -o cat | grep -q 'Killed process $pid'"

id_in() { "$@" | oomdoc explain -o json - | jq -r --argjson pid "$pid" '.incidents[] | select(.process.pid == $pid) | .id'; }
ring() { dd if=/dev/kmsg iflag=nonblock bs=8192 2>/dev/null; }
is "$(id_in ring)" "$live" 'raw /dev/kmsg'
for form in 'dmesg' 'dmesg -T' 'dmesg -x' 'dmesg --time-format=iso' 'dmesg -r' 'dmesg -J' \
  'journalctl -k -o short' 'journalctl -k -o short-precise' 'journalctl -k -o short-iso' 'journalctl -k -o json' 'journalctl -k -o export'; do
  # util-linux of Debian 12 has no -J yet.
  if ! $form >/dev/null 2>&1; then skip "$form: not in this release"; continue; fi
  # shellcheck disable=SC2086
  is "$(id_in $form)" "$live" "$form"
done
