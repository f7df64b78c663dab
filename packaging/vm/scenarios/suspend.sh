# The machine sleeps and wakes.
# deadline: 150
. /payload/lib.sh

if ! grep -qw deep /sys/power/mem_sleep 2>/dev/null; then
  skip 'this kernel cannot sleep'
  exit
fi
process=$(daemon_pid)
slept=$(cat /sys/power/suspend_stats/success 2>/dev/null || sed -n 's/^success: //p' /sys/kernel/debug/suspend_stats)
holds 'it sleeps and wakes' rtcwake -m mem -s 40
is "$(cat /sys/power/suspend_stats/success 2>/dev/null || sed -n 's/^success: //p' /sys/kernel/debug/suspend_stats)" "$((slept + 1))" 'it really slept'
start=$(date +%s)
run_unit awake.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n awake anon 64000000
wait_stored "$pid" 'the kill after it'
# The kernel log has no time of day, and its clock stands still in sleep: who
# forgets that is the whole sleep behind.
at=$(date -d "$(field "$got" .time)" +%s)
if [ "$at" -ge $((start - 2)) ] && [ "$at" -le "$(date +%s)" ]; then ok 'its time is right'; else fail "its time is $((at - start)) s after the start"; fi
id=$(field "$got" .id)
within 20 eval "journalctl -k -o cat | grep -q 'Killed process $pid'"
is "$(journalctl -k -o export | oomdoc explain -o json - | jq -r --argjson pid "$pid" '.incidents[] | select(.process.pid == $pid) | .id')" "$id" 'the journal gives it the same id'
is "$(daemon_pid)" "$process" 'the daemon is the same'
is "$(systemctl show -p NRestarts --value oomdoc.service)" 0 'and was not restarted'
