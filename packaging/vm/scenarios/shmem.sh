# Files that somebody left in /dev/shm.
# deadline: 200
. /payload/lib.sh

mount -o remount,size=95% /dev/shm
/payload/hog -n writer shm /dev/shm 420000000
full_soon
run_unit victim.service /payload/hog -n victim -o 500 anon 4000000000
rm -f /dev/shm/hog-*
wait_stored "$pid" 'the kill'
verdict "$got" host-ram/shared-memory 'its cause is shared memory'
note "$(field "$got" .summary)"
