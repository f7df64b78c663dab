# Full pipes: memory that no counter shows.
# deadline: 200
. /payload/lib.sh

/payload/hog -n plumber -o -1000 pipes 400 >/run/vm/plumber 2>&1 &
plumber=$!
within 100 grep -q ready /run/vm/plumber
full_soon
run_unit victim.service /payload/hog -n victim -o 500 anon 4000000000
kill -9 $plumber
wait_stored "$pid" 'the kill'
verdict "$got" host-ram/kernel-memory 'its cause is kernel memory'
note "$(field "$got" .summary)"
