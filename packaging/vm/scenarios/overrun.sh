# The kernel's ring overruns while the daemon cannot read.
# deadline: 150
. /payload/lib.sh

lost() { oomdoc status -o json | jq .daemon.kmsg.lost_ring; }
newest_seq() { dd if=/dev/kmsg iflag=nonblock bs=8192 2>/dev/null | sed -n 's/^[0-9]*,\([0-9]*\),.*/\1/p' | tail -n 1; }
oldest_seq() { dd if=/dev/kmsg iflag=nonblock bs=8192 count=1 2>/dev/null | sed -n 's/^[0-9]*,\([0-9]*\),.*/\1/p' | head -n 1; }

echo on >/proc/sys/kernel/printk_devkmsg
sleep 2
before=$(lost)
process=$(daemon_pid)
kill -STOP "$process"
seq=$(newest_seq)
line=$(printf 'a flood of ordinary lines %.0s' 1 2 3 4 5 6 7 8)
for ((i = 0; i < 20; i++)); do
  for ((j = 0; j < 500; j++)); do echo "<6>$line $j"; done >/dev/kmsg
  [ "$(oldest_seq)" -le "$((seq + 100))" ] || break
done
if [ "$(oldest_seq)" -gt "$seq" ]; then ok 'the ring overran'; else fail 'the ring did not overrun'; fi
run_unit after.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n after anon 64000000
oldest=$(oldest_seq)
kill -CONT "$process"
wait_stored "$pid" 'the kill after the overrun'
within 20 eval '[ "$(lost)" != "$before" ]'
missing=$(($(lost) - before))
# The daemon may have read up to the newest record before it stopped; each line
# that systemd or the kernel printed since is in the margin.
if [ $missing -ge $((oldest - seq - 60)) ] && [ $missing -le $((oldest - seq + 60)) ]; then
  ok 'what was lost is counted'
else
  fail "what was lost is counted: $missing, but the ring lost $((oldest - seq))"
fi
has "$(oomdoc status)" "$missing" 'status tells it'
is "$(daemon_pid)" "$process" 'the daemon is the same'
