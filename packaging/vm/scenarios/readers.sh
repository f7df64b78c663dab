# Who may read what: root, a member of systemd-journal, anybody else.
# deadline: 150
. /payload/lib.sh

as() { local who=$1; shift; setpriv --reuid="$who" --regid="$who" --init-groups env HOME="/home/$who" "$@"; }
run_unit theirs.service -p User=other -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n theirs anon 64000000
theirs=$pid
wait_stored "$theirs" 'the kill of the other user'
run_unit secret.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n secret anon 64000000
secret=$pid
wait_stored "$secret" "root's kill"

summary_for() { as "$1" oomdoc list --all -n 1000 -o json | jq -r --argjson pid "$2" '.incidents[] | select(.process.pid == $pid) | .process.name'; }
has_field() { as "$1" oomdoc list --all -n 1000 -o json | jq --argjson pid "$2" '.incidents[] | select(.process.pid == $pid) | '"$3"' != null'; }

is "$(summary_for root "$secret")" secret 'root sees all'
if [ ! -S /run/oomdoc/oomdoc.sock ]; then
  skip 'the daemon has no socket for readers'
  as other oomdoc last >/run/vm/last 2>&1
  is $? 4 'who may not read gets status 4'
  has "$(cat /run/vm/last)" 'sudo' 'and is told what to type'
  exit
fi
is "$(summary_for member "$secret")" secret 'a member of systemd-journal sees all'
is "$(has_field member "$secret" .kernel.task_cgroup)" true 'with its cgroup'
is "$(summary_for other "$theirs")" theirs 'another sees what is theirs'
is "$(has_field other "$theirs" .kernel.task_cgroup)" true 'whole'
is "$(summary_for other "$secret")" secret 'and that others had a kill'
is "$(has_field other "$secret" .process.cmdline)" false 'without its command line'
is "$(has_field other "$secret" .kernel.task_cgroup)" false 'and without its paths'
for who in root member other; do
  holds "last works for $who" as "$who" oomdoc last
done
as other sh -c 'cat /var/lib/oomdoc/oomdoc.db >/dev/null' 2>/dev/null
is $? 1 'nobody else opens the database'
