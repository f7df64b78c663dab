# The whole machine runs out, without swap.
# deadline: 240
. /payload/lib.sh

before=$(daemon_pid)
full_soon
run_unit big.service /payload/hog -n big -o 500 anon 4000000000
wait_stored "$pid" 'the global kill'
verdict "$got" host-ram/host-exhausted 'its cause is the machine'
is "$(field "$got" .kernel.constraint)" CONSTRAINT_NONE 'no limit is blamed'
is "$(field "$got" .process.unit)" big.service 'its owner is known'
is "$(field "$got" .memory.swap_total_bytes)" 0 'it is known that there is no swap'
is "$(daemon_pid)" "$before" 'the daemon is the same'
