# Who may read what: root, members of systemd-journal and adm, anybody else.
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
for who in member:systemd-journal keeper:adm; do
  is "$(summary_for "${who%:*}" "$secret")" secret "a member of ${who#*:} sees all"
  is "$(has_field "${who%:*}" "$secret" .kernel.task_cgroup)" true 'with its cgroup'
done
is "$(summary_for other "$theirs")" theirs 'another sees what is theirs'
is "$(has_field other "$theirs" .kernel.task_cgroup)" true 'whole'
is "$(summary_for other "$secret")" secret 'and that others had a kill'
is "$(has_field other "$secret" .process.cmdline)" false 'without its command line'
is "$(has_field other "$secret" .kernel.task_cgroup)" false 'and without its paths'
for who in root member keeper other; do
  holds "last works for $who" as "$who" oomdoc last
done
as other sh -c 'cat /var/lib/oomdoc/oomdoc.db >/dev/null' 2>/dev/null
is $? 1 'nobody else opens the database'
as other oomdoc purge --yes --all >/run/vm/purge 2>&1
is $? 4 'nor forgets what is in it'
has "$(as member oomdoc show "$(field "$(incident "$secret")" .id)")" 'oom-kill:constraint' 'a member sees the log lines'
hasnt "$(as other oomdoc show "$(field "$(incident "$secret")" .id)")" 'oom-kill:constraint' 'another does not'
# While the daemon is stopped nobody tells others apart.
systemctl stop oomdoc.service
as other oomdoc last >/run/vm/last 2>&1
is $? 4 'without the daemon another is not permitted'
has "$(cat /run/vm/last)" 'sudo' 'and is told what to type'
holds 'root still reads' oomdoc last
oomdoc status >/run/vm/last 2>&1
is $? 1 'status says by its exit that nothing is watched'
has "$(cat /run/vm/last)" 'sudo systemctl start oomdoc' 'and names the command that starts it'
systemctl start oomdoc.service
holds 'then it answers again' within 30 as other oomdoc last
# What is forgotten while it runs stays forgotten.
holds 'root forgets an incident' oomdoc purge --yes "$(field "$(incident "$theirs")" .id)"
is "$(incident "$theirs")" '' 'and it is gone'
holds 'the daemon still stores' oomdoc status
