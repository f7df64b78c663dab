# Installs oomdoc as a user would, after a crash that made them want it.
# deadline: 150
. /payload/lib.sh

run_unit crashed.service -p MemoryMax=16M -p MemorySwapMax=0 hog -n crashed anon 64000000
package=$(ls /payload/*.deb 2>/dev/null | tail -n 1)
if [ -n "$package" ]; then
  # Word by word what the README says, in the folder where `make package` ran.
  mkdir -p /root/oomdoc/dist
  cp "$package" /root/oomdoc/dist/
  cd /root/oomdoc
  typed=$(sed -n 's/^| Debian .*`make package`, then `sudo \(apt install [^`]*\)`.*/\1/p' /payload/README.md)
  has "$typed" 'apt install ./dist/' 'the README says how to install'
  holds "$typed" env DEBIAN_FRONTEND=noninteractive sh -c "$typed </dev/null"
  for told in 'systemctl status oomdoc' 'journalctl -t oomdoc -x' 'apt purge oomdoc'; do
    has "$(cat /payload/README.md)" "\`$told\`" "the README tells of $told"
  done
else
  note 'no package was built: the binary runs from a unit of its own'
  install -m 755 /payload/oomdoc /usr/bin/oomdoc
  cp /payload/oomdoc.service /etc/systemd/system/
  systemctl daemon-reload
  holds 'the service starts' systemctl enable --now oomdoc.service
fi
is "$(systemctl is-active oomdoc.service)" active 'the service runs'
wait_stored "$pid" 'the crash from before'
has "$(oomdoc last | one_line)" 'crashed.service reached its memory limit of 16 MiB' 'the first last explains it'
if [ -n "$package" ]; then
  has "$(systemctl status oomdoc --no-pager | one_line)" 'watching /dev/kmsg' 'systemctl status says so in one line'
  is "$(systemctl is-active oomdoc-helper.socket)" active 'the helper can be asked'
  is "$(systemctl is-enabled oomdoc.service oomdoc-helper.socket | sort -u)" enabled 'both start at the next boot'
  is "$(journalctl -q -t oomdoc -o cat)" '' 'nobody is alarmed by what was before it'
fi
