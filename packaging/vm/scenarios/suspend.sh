# The machine sleeps and wakes.
# deadline: 120
. /payload/lib.sh

if ! grep -qw freeze /sys/power/state 2>/dev/null; then
  skip 'this kernel cannot sleep'
  exit
fi
process=$(daemon_pid)
slept=$(cat /sys/power/suspend_stats/success 2>/dev/null || sed -n 's/^success: //p' /sys/kernel/debug/suspend_stats)
holds 'it sleeps and wakes' rtcwake -m freeze -s 8
is "$(cat /sys/power/suspend_stats/success 2>/dev/null || sed -n 's/^success: //p' /sys/kernel/debug/suspend_stats)" "$((slept + 1))" 'it really slept'
run_unit awake.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n awake anon 64000000
wait_stored "$pid" 'the kill after it'
age=$(($(date +%s) - $(date -d "$(field "$got" .time)" +%s)))
# The kernel log has no time of day, and its clock stands still in sleep.
if [ "${age#-}" -le $((60 * VM_PATIENCE)) ]; then ok 'its time is right'; else fail "its time is $age s off"; fi
id=$(field "$got" .id)
within 20 eval "journalctl -k -o cat | grep -q 'Killed process $pid'"
is "$(journalctl -k -o export | oomdoc explain -o json - | jq -r --argjson pid "$pid" '.incidents[] | select(.process.pid == $pid) | .id')" "$id" 'the journal gives it the same id'
is "$(daemon_pid)" "$process" 'the daemon is the same'
is "$(systemctl show -p NRestarts --value oomdoc.service)" 0 'and was not restarted'
