# Kills in what a person runs: a unit of their own manager, and their session.
# deadline: 180
. /payload/lib.sh

loginctl enable-linger member
within 60 systemctl is-active --quiet user@1001.service
as_member() { setpriv --reuid=member --regid=member --init-groups env XDG_RUNTIME_DIR=/run/user/1001 DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1001/bus "$@"; }
within 60 test -S /run/user/1001/bus

as_member systemd-run --user --quiet --unit=train --service-type=exec -p MemoryMax=20M -p MemorySwapMax=0 /payload/hog -n train anon 64000000
train_ended() { [[ $(as_member systemctl --user show -p ActiveState --value train.service) == @(failed|inactive) ]]; }
within 60 train_ended
pid=$(as_member systemctl --user show -p ExecMainPID --value train.service)
wait_stored "$pid" 'the kill in a user unit'
verdict "$got" host-ram/cgroup-limit 'its cause is the limit of the user unit'
is "$(field "$got" .process.user_unit)" train.service 'its owner is the user unit'
is "$(field "$got" .process.uid)" 1001 'whose it was is known'
has "$(field "$got" '.fixes[0].steps | join(" ")')" '--user' 'the fix is for the user manager'

# A session: su opens one through pam_systemd.
rm -f /tmp/session-pid
su -l other -c 'echo $$ >/tmp/session-pid; cat /proc/self/cgroup >/tmp/session-cgroup; sleep 3; exec /payload/hog -n notebook anon 64000000' &
within 20 test -s /tmp/session-cgroup
pid=$(cat /tmp/session-pid)
scope=$(sed 's|.*/||' /tmp/session-cgroup)
systemctl set-property --runtime "$scope" MemoryMax=20M MemorySwapMax=0
wait $!
wait_stored "$pid" 'the kill in a session'
has "$(field "$got" .process.cgroup)" "$scope" 'the session is named'
has "$(field "$got" .summary)" 'limit of 20 MiB' 'the summary tells the limit'
