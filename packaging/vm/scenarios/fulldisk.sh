# The disk is full when the kills come.
# deadline: 180
. /payload/lib.sh

process=$(daemon_pid)
fill() {
  fallocate -l "$(($(df --output=avail -B1 /var/lib | tail -n 1) - 1048576))" /var/lib/filler
  dd if=/dev/zero of=/var/lib/filler2 bs=64k 2>/dev/null
  dd if=/dev/zero of=/var/lib/filler3 bs=512 2>/dev/null
}
fill
is "$(df --output=avail / | tail -n 1 | tr -d ' ')" 0 'the disk is full'
pids=
for i in 1 2 3; do
  run_unit full.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n "full-$i" anon 64000000
  pids="$pids $pid"
done
fill
sleep 3
is "$(daemon_pid)" "$process" 'the daemon goes on'
note "$(oomdoc status | one_line)"
rm -f /var/lib/filler*
for pid in $pids; do wait_stored "$pid" 'a kill while the disk was full'; done
holds 'then it is healthy again' within 30 oomdoc status
