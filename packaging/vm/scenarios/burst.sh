# The daemon dies by -9 amid a burst of kills, with either reader.
# deadline: 240
. /payload/lib.sh

with_reader() {
  mkdir -p /run/systemd/system/oomdoc.service.d
  printf '[Service]\nEnvironment=OOMDOC_KMSG_READER=%s\nRestartSec=100ms\n[Unit]\nStartLimitIntervalSec=0\n' "$1" >/run/systemd/system/oomdoc.service.d/reader.conf
  systemctl daemon-reload
  systemctl restart oomdoc.service
}

gaps() { oomdoc status -o json | jq '.lost | length'; }
count() { incidents | jq -c --arg name "$1" 'select(.process.name == $name)' | wc -l; }
counted() { [ "$(count "$1")" -ge "$2" ]; }

kills=24
for reader in own go-kmsg-parser; do
  with_reader "$reader"
  name=burst-${reader%%-*}
  killed=$(kills)
  gaps=$(gaps)
  systemctl reset-failed burst.service 2>/dev/null
  systemd-run --quiet --unit=burst --service-type=exec -p MemoryMax=20M -p MemorySwapMax=0 -p OOMPolicy=continue \
    /payload/hog -n "$name" forks "$kills" 60000000
  died=0
  until unit_ended burst.service; do
    sleep 0.4
    kill -9 "$(daemon_pid)" 2>/dev/null && died=$((died + 1))
    sleep 1.2
  done
  killed=$(($(kills) - killed))
  note "$reader: $killed kills, the daemon died $died times"
  is "$killed" "$kills" "$reader: the kernel killed all"
  if [ "$died" -gt 0 ]; then ok "$reader: the daemon died among them"; else fail "$reader: the burst was over too soon"; fi
  within 60 counted "$name" "$kills"
  is "$(gaps)" "$gaps" "$reader: the ring held all"
  is "$(count "$name")" "$kills" "$reader: each kill is stored once"
  [ "$(count "$name")" = "$kills" ] && continue
  for pid in $(dmesg | sed -n "s/.*Killed process \([0-9]*\) ($name).*/\1/p"); do
    stored "$pid" && continue
    fail "$reader: pid $pid is not stored"
    dmesg | grep -w -B 3 "Killed process $pid" | cut -c1-200 | while IFS= read -r line; do note "$line"; done
    incidents | jq -c 'select(.process.name == null) | [.id, .time, .process.pid, .summary]' | while IFS= read -r line; do note "$line"; done
  done
done
rm /run/systemd/system/oomdoc.service.d/reader.conf
systemctl daemon-reload
systemctl restart oomdoc.service
