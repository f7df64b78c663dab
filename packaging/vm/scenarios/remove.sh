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
has "$(oomdoc status)" 'helper' 'status says that the helper is missing'

before=$(daemon_pid)
count=$(incidents | wc -l)
holds 'it upgrades' env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --reinstall "$package"
is "$(systemctl is-active oomdoc.service)" active 'and runs'
if [ "$(daemon_pid)" != "$before" ]; then ok 'as a new process'; else fail 'the old process still runs'; fi
is "$(incidents | wc -l)" "$count" 'with every incident'
holds 'it goes' env DEBIAN_FRONTEND=noninteractive apt-get remove -y -q oomdoc
is "$(systemctl is-active oomdoc.service)" inactive 'and stops'
holds 'what it knew stays' test -s /var/lib/oomdoc/oomdoc.db
holds 'it is purged' env DEBIAN_FRONTEND=noninteractive apt-get purge -y -q oomdoc
is "$(ls -d /var/lib/oomdoc /etc/oomdoc /run/oomdoc 2>/dev/null)" '' 'and nothing stays'
