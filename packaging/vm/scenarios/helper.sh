# What only root may do, done by the helper for a daemon that is not root.
# deadline: 150
. /payload/lib.sh

if [ ! -e /usr/lib/systemd/system/oomdoc-helper.socket ]; then
  skip 'no package was built'
  exit
fi
as() { local who=$1; shift; setpriv --reuid="$who" --regid="$who" --init-groups "$@"; }
main_pid() { systemctl show -p MainPID --value "$1"; }

is "$(stat -c %U "/proc/$(daemon_pid)")" oomdoc 'the daemon is not root'
is "$(sed -n 's/^CapEff:\s*//p' "/proc/$(daemon_pid)/status")" 0000000400000000 'it has CAP_SYSLOG alone'
is "$(stat -c '%U:%G %a' /run/oomdoc-helper/helper.sock)" 'oomdoc:oomdoc 600' 'the socket is for it alone'

# An alert that root sent, in the words of the kernel and of journald.
run_unit helped.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n helped anon 64000000
wait_stored "$pid" 'the kill'
id=$(field "$got" .id)
within 20 eval "journalctl OOMDOC_ID=$id -o cat | grep -q ."
alert=$(journalctl OOMDOC_ID="$id" -o json | tail -n 1)
is "$(jq -r ._UID <<<"$alert")" 0 'the alert was sent by root'
is "$(jq -r ._SYSTEMD_UNIT <<<"$alert")" oomdoc-helper.service 'it was the helper'
is "$(jq -r .DOCUMENTATION <<<"$alert")" 'man:oomdoc-fixes(7)' 'it points to the manual'
has "$(journalctl -u helped.service -o cat)" 'memory limit of 16 MiB' 'journalctl -u shows it'
has "$(systemctl status helped.service --no-pager)" 'memory limit of 16 MiB' 'systemctl status shows it'
has "$(journalctl -x OOMDOC_ID="$id" --no-pager)" 'What to do first:' 'journalctl -x explains it'
has "$(journalctl -t oomdoc -x --no-pager)" 'What to do first:' 'and so does journalctl -t oomdoc -x'
has "$(journalctl -x OOMDOC_ID="$id" --no-pager)" 'man:oomdoc-fixes(7)' 'and names the manual'

# Files of processes of others, and no others' requests.
helper=$(main_pid oomdoc-helper.service)
is "$(sed -n 's/^CapBnd:\s*//p' "/proc/$helper/status")" 0000000000080004 'the helper has two capabilities'
as other sh -c 'exec sleep 300' &
sleeper=$!
within 20 grep -q '^sleep' "/proc/$sleeper/comm"
is "$(as oomdoc cat "/proc/$sleeper/maps" 2>/dev/null)" '' 'the daemon may not read what another maps'
for file in maps smaps_rollup stat status cmdline cgroup; do
  # What has no counters in it must be the same; the rest must be there.
  got=$(as oomdoc /payload/ask process "$sleeper" "$file" | tr '\0' ' ' 2>&1)
  if [ "$file" = maps ] || [ "$file" = cmdline ] || [ "$file" = cgroup ]; then
    is "$got" "$(tr '\0' ' ' <"/proc/$sleeper/$file")" "the helper opens its $file"
  elif [ -n "$got" ]; then ok "the helper opens its $file"; else fail "the helper opens its $file"; fi
done
is "$(as oomdoc /payload/ask process "$sleeper" environ 2>/dev/null)" '' 'it does not open its environment'
kill $sleeper
for who in other member root; do
  is "$(as $who /payload/ask process 1 maps 2>/dev/null)" '' "it does nothing for $who"
done

# A container by its name, from a file that is closed to the daemon.
container=5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592
mkdir -p -m 0710 /var/lib/docker/containers/$container
echo '{"ID":"'$container'","Name":"/llama","Config":{"Image":"ghcr.io/ggml-org/llama.cpp:server"}}' >/var/lib/docker/containers/$container/config.v2.json
chmod -R go-rwx /var/lib/docker
systemd-run --quiet --scope --unit=docker-$container -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n llama-server anon 64000000 &
pid=$!
wait $pid
wait_stored "$pid" 'the kill in a container'
is "$(field "$got" .process.container)" $container 'the container is known'
is "$(field "$got" .process.container_name)" llama 'by its name'
is "$(field "$got" .process.image)" ghcr.io/ggml-org/llama.cpp:server 'and its image'
has "$(oomdoc show "$(field "$got" .id)" | one_line)" 'container llama' 'show calls it so'

# journald starts anew.
systemctl restart systemd-journald.service
run_unit anew.service -p MemoryMax=16M -p MemorySwapMax=0 /payload/hog -n anew anon 64000000
wait_stored "$pid" 'the kill after a restart of journald'
within 20 eval 'journalctl -u anew.service -o cat | grep -q "memory limit"'
has "$(journalctl -u anew.service -o cat)" 'memory limit of 16 MiB' 'journalctl -u shows its alert'

holds 'status is content' oomdoc status
is "$(oomdoc status -o json | jq -c '[.healthy, .daemon.helper.reachable, (.limits // [] | length)]')" '[true,true,0]' 'and nothing is limited'
rm -r /var/lib/docker
