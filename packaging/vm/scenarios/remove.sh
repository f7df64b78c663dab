# The helper stops; the package is upgraded, removed, purged.
# deadline: 300
. /payload/lib.sh

package=$(ls /payload/*.deb 2>/dev/null | tail -n 1)
if [ -z "$package" ]; then
  skip 'no package was built'
  exit
fi
systemctl stop oomdoc-helper.socket oomdoc-helper.service
run_unit lonely.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n lonely anon 64000000
wait_stored "$pid" 'the kill without the helper'
has "$(oomdoc status | one_line)" 'helper does not answer on /run/oomdoc-helper/helper.sock' 'status says that the helper is missing'
has "$(oomdoc status)" 'sudo systemctl enable --now oomdoc-helper.socket' 'and what would bring it back'
holds 'which is no illness' oomdoc status
id=$(field "$got" .id)
within 20 eval "journalctl OOMDOC_ID=$id -o cat | grep -q ."
is "$(journalctl OOMDOC_ID="$id" -o json | jq -r ._UID)" "$(id -u oomdoc)" 'the alert is sent by the daemon itself'

before=$(daemon_pid)
count=$(incidents | wc -l)
holds 'it upgrades' env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --reinstall "$package"
is "$(systemctl is-active oomdoc.service)" active 'and runs'
if [ "$(daemon_pid)" != "$before" ]; then ok 'as a new process'; else fail 'the old process still runs'; fi
is "$(incidents | wc -l)" "$count" 'with every incident'
is "$(systemctl is-active oomdoc-helper.socket)" active 'and the helper listens again'
run_unit later.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n later anon 64000000
wait_stored "$pid" 'the kill after the upgrade'
id=$(field "$got" .id)
within 20 eval "journalctl OOMDOC_ID=$id -o cat | grep -q ."
is "$(journalctl OOMDOC_ID="$id" -o json | jq -r ._UID)" 0 'and its alert comes from the helper'
holds 'it goes' env DEBIAN_FRONTEND=noninteractive apt-get remove -y -q oomdoc
for unit in oomdoc.service oomdoc-helper.service oomdoc-helper.socket; do
  is "$(systemctl is-active $unit)" inactive "$unit stops"
done
holds 'what it knew stays' test -s /var/lib/oomdoc/oomdoc.db
holds 'it is purged' env DEBIAN_FRONTEND=noninteractive apt-get purge -y -q oomdoc
is "$(ls -d /var/lib/oomdoc /etc/oomdoc /run/oomdoc /run/oomdoc-helper/* 2>/dev/null)" '' 'and nothing stays'
is "$(systemctl list-units --all --failed --no-legend 'oomdoc*')" '' 'nothing has failed'
