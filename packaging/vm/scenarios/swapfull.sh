# There is swap, and it is full too.
# deadline: 240
. /payload/lib.sh

fallocate -l 67108864 /swapfile
chmod 600 /swapfile
mkswap /swapfile >/dev/null
swapon /swapfile
full_soon
run_unit victim.service /payload/hog -n victim -o 500 anon 4000000000
wait_stored "$pid" 'the kill'
verdict "$got" host-ram/host-exhausted 'its cause is the machine'
is "$(field "$got" .memory.swap_total_bytes)" 67104768 'the swap is told'
has "$(field "$got" '[.evidence[].text] | join(" ")')" swap 'and that it was full'
note "$(field "$got" .summary)"
swapoff /swapfile
rm /swapfile
