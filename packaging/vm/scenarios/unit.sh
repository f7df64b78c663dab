# A kill in a system unit, and where its owner meets the alert.
# deadline: 120
. /payload/lib.sh

run_unit job.service -p MemoryMax=20M -p MemorySwapMax=0 hog -n 'job (a) hog' anon 64000000
wait_stored "$pid" 'the kill in a unit'
verdict "$got" host-ram/cgroup-limit 'its cause is the limit'
is "$(field "$got" .process.unit)" job.service 'its owner is the unit'
is "$(field "$got" .memory.limit_bytes)" 20971520 'the limit is told'
is "$(field "$got" .process.name)" 'job (a) hog' 'the name is whole'
is "$(field "$got" .confidence)" certain 'there is no doubt'
has "$(field "$got" '.fixes[0].steps | join(" ")')" 'set-property job.service MemoryMax=' 'the fix names the unit'

id=$(field "$got" .id)
within 20 eval "journalctl OOMDOC_ID=$id -o cat | grep -q ."
has "$(journalctl -u job.service -o cat)" 'memory limit of 20 MiB' 'journalctl -u shows the alert'
has "$(systemctl status job.service --no-pager)" 'memory limit of 20 MiB' 'systemctl status shows the alert'
has "$(journalctl -t oomdoc -o cat)" 'job.service' 'journalctl -t oomdoc shows it'
is "$(journalctl OOMDOC_ID="$id" -o json | jq -s length)" 1 'it was alerted once'
has "$(oomdoc last)" 'job.service' 'last tells of it'
has "$(oomdoc show "$id")" 'oom-kill:constraint=CONSTRAINT_MEMCG' 'show has the raw records'
