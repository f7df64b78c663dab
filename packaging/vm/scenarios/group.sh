# memory.oom.group: one decision of the killer, many victims.
# deadline: 90
. /payload/lib.sh

run_unit group.service -p MemoryMax=40M -p MemorySwapMax=0 -p OOMPolicy=kill \
  bash -c '/payload/hog -n worker-1 hold 4000000 & /payload/hog -n worker-2 hold 4000000 & sleep 1; exec /payload/hog -n leader anon 90000000'
wait_stored "$pid" 'the kill of a group'
# The incident is stored at the first kill line and amended by the others.
all_victims() { [ "$(field "$(incident "$pid")" '.victims | length')" = 3 ]; }
within 30 all_victims
got=$(incident "$pid")
is "$(field "$got" '.victims | length')" 3 'its members are its victims'
[ "$(field "$got" '.victims | length')" = 3 ] || dmesg | grep -A 4 "Killed process $pid" | cut -c1-200 | while IFS= read -r line; do note "$line"; done
is "$(incidents | jq -c 'select(.process.unit == "group.service")' | wc -l)" 1 'a group is one incident'
