# Huge pages were reserved and nobody uses them.
# deadline: 200
. /payload/lib.sh

echo 3 >/proc/sys/vm/drop_caches
echo 1 >/proc/sys/vm/compact_memory
echo 220 >/proc/sys/vm/nr_hugepages
note "$(cat /proc/sys/vm/nr_hugepages) huge pages of 2 MiB"
full_soon
run_unit victim.service /payload/hog -n victim -o 500 anon 4000000000
echo 0 >/proc/sys/vm/nr_hugepages
wait_stored "$pid" 'the kill'
verdict "$got" host-ram/hugepages-reserved 'its cause is the reservation'
note "$(field "$got" .summary)"
