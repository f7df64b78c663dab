# Installs oomdoc as a user would, after a crash that made them want it.
# deadline: 150
. /payload/lib.sh

run_unit crashed.service -p MemoryMax=16M -p MemorySwapMax=0 hog -n crashed anon 64000000
package=$(ls /payload/*.deb 2>/dev/null | tail -n 1)
if [ -n "$package" ]; then
  holds 'the package installs' env DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$package"
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
