# One of two memory nodes is full, because the program may use no other.
# deadline: 240
. /payload/lib.sh

is "$(cat /sys/devices/system/node/online)" 0-1 'the machine has two nodes'
full_soon
run_unit policy.service /payload/hog -n policy -o 500 bind 1 4000000000
wait_stored "$pid" 'the kill under a memory policy'
verdict "$got" host-ram/numa-bound 'its cause is the policy'
is "$(field "$got" .kernel.constraint)" CONSTRAINT_MEMORY_POLICY 'as the kernel says'
run_unit cpuset.service -p AllowedMemoryNodes=1 /payload/hog -n cpuset -o 500 anon 4000000000
wait_stored "$pid" 'the kill in a cpuset'
verdict "$got" host-ram/numa-bound 'its cause is the cpuset'
is "$(field "$got" .kernel.constraint)" CONSTRAINT_CPUSET 'as the kernel says'
note "$(field "$got" .summary)"
