# Somebody sets the clock, forward and back.
# deadline: 150
. /payload/lib.sh

age() { echo $(($(date +%s) - $(date -d "$(field "$1" .time)" +%s))); }
# The steps are hours: half of one tells the clocks apart on the slowest host.
recent() { [ "${1#-}" -le 1800 ]; }

for step in '+3 hours' '-5 hours' '+2 hours'; do
  date -s "$step" >/dev/null
  run_unit clock.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n clock anon 64000000
  wait_stored "$pid" "the kill after $step"
  holds "its time is the new clock's after $step" recent "$(age "$got")"
  is "$(oomdoc status | grep -E ' -[0-9]')" '' "status tells no negative time after $step"
  id=$(field "$got" .id)
  systemctl restart oomdoc.service
  sleep 2
  run_unit clock.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n clock anon 64000000
  wait_stored "$pid" 'the kill after a restart'
  is "$(incidents | jq -c --arg id "$id" 'select(.id == $id)' | wc -l)" 1 "no second row after $step"
done
is "$(incidents | jq -c 'select(.process.name == "clock")' | wc -l)" 6 'six kills, six incidents'
