# A program makes the kernel allocate what nobody can reclaim.
# deadline: 240
. /payload/lib.sh

/payload/hog -n watcher -o -1000 epoll 1300 >/run/vm/watcher 2>&1 &
watcher=$!
within 150 grep -q ready /run/vm/watcher
note "$(grep -E 'SUnreclaim' /proc/meminfo | tr -s ' ')"
full_soon
run_unit victim.service /payload/hog -n victim -o 500 anon 4000000000
kill -9 $watcher
wait_stored "$pid" 'the kill'
verdict "$got" host-ram/kernel-memory 'its cause is kernel memory'
note "$(field "$got" .summary)"
