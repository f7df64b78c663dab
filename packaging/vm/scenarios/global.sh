# The whole machine runs out, without swap.
# deadline: 150
. /payload/lib.sh

free_caches
run_unit big.service hog -n big -o 500 anon 4000000000
wait_stored "$pid" 'the global kill'
verdict "$got" host-ram/host-exhausted 'its cause is the machine'
is "$(field "$got" .kernel.constraint)" CONSTRAINT_NONE 'no limit is blamed'
is "$(field "$got" .process.unit)" big.service 'its owner is known'
is "$(field "$got" .memory.swap_total_bytes)" '' 'no swap is claimed'
holds 'the daemon still runs' systemctl is-active oomdoc.service
