# What scenarios are written with. Each line to descriptor 3 is one for the host.
say() { printf '%s\n' "$(tr '\n' ' ' <<<"$*")" >&3; }

ok() { say "ok $*"; }
fail() { say "not $*"; }
note() { say "note $*"; }
skip() { say "skip $*"; }

# is GOT WANT WHAT
is() { if [ "$1" = "$2" ]; then ok "$3"; else fail "$3: got '$1', want '$2'"; fi; }

# has TEXT PART WHAT
has() { if [[ $1 == *"$2"* ]]; then ok "$3"; else fail "$3: '$2' is not in '${1:0:300}'"; fi; }

# hasnt TEXT PART WHAT
hasnt() { if [[ $1 != *"$2"* ]]; then ok "$3"; else fail "$3: '$2' is in '${1:0:300}'"; fi; }

# holds WHAT TEST...
holds() {
  local what=$1 output
  shift
  if output=$("$@" 2>&1); then ok "$what"; else fail "$what: ${output:0:300}"; fi
}

# within SECONDS TEST...: whether the test comes true in that time, stretched where the host is busy.
within() {
  local deadline=$((SECONDS + $1 * VM_PATIENCE))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $deadline ] || return 1
    sleep 0.3
  done
}

# incidents: what is stored, one JSON object a line, oldest first.
incidents() { oomdoc list --all -n 100000 -o json | jq -c '.incidents[]' | tac; }

# incident PID: the incident of that process in this boot.
incident() { incidents | jq -c --argjson pid "$1" --arg boot "$(boot_id)" 'select(.process.pid == $pid and (.boot_id // $boot) == $boot)'; }

stored() { [ -n "$(incident "$1")" ]; }

# field INCIDENT PATH
field() { jq -r "$2 // \"\"" <<<"$1"; }

boot_id() { tr -d - </proc/sys/kernel/random/boot_id; }

# kills: how many processes the kernel says it killed (mm/oom_kill.c, OOM_KILL).
kills() { sed -n 's/^oom_kill //p' /proc/vmstat; }

# wait_stored PID WHAT: sets $got to the incident.
wait_stored() {
  if within 60 stored "$1"; then
    got=$(incident "$1")
    is "$(wc -l <<<"$got")" 1 "$2 is stored once"
  else
    got={}
    fail "$2 (pid $1) is not stored"
    journalctl -u oomdoc -n 5 -o cat | while IFS= read -r line; do note "$line"; done
  fi
}

# verdict INCIDENT CLASS/CAUSE WHAT
verdict() { is "$(jq -r '"\(.class)/\(.cause)"' <<<"$1")" "$2" "$3"; }

# unit_pid UNIT: who its main process was. Its life ends within moments, so
# systemd is asked for what it remembers.
unit_pid() { systemctl show -p ExecMainPID --value "$1"; }

# run_unit NAME [OPTION...] -- COMMAND...: runs a unit until it ends; $pid is its main process.
run_unit() {
  local name=$1
  shift
  systemctl reset-failed "$name" 2>/dev/null
  systemd-run --quiet --unit="$name" --service-type=exec "$@"
  within 90 unit_ended "$name"
  pid=$(unit_pid "$name")
}

unit_ended() { [[ $(systemctl show -p ActiveState --value "$1") == @(failed|inactive) ]]; }

daemon_pid() { systemctl show -p MainPID --value oomdoc.service; }

# wait_report: the kernel prints at most 10 reports in 5 s (mm/oom_kill.c, oom_rs).
wait_report() { sleep 6; }

# full_soon: lets a machine without room kill at once. It would else read its
# programs from the disk again and again for a minute before it gives up. The
# programs that run, and those that scenarios use, are held in memory; what oomdoc
# needs is not: it must bear the full machine as it is.
full_soon() {
  sync
  echo 3 >/proc/sys/vm/drop_caches
  # shellcheck disable=SC2046
  /payload/hog -n pin -o -1000 pin $({
    cat /proc/[0-9]*/maps 2>/dev/null | sed -n 's|^[^/]* \(/[^ ]*\)$|\1|p'
    for tool in bash sleep cut sed cat grep jq tr tac wc tail systemctl; do command -v "$tool"; done
  } | sort -u | grep -v oomdoc) >/run/vm/pinned 2>&1 &
  pinned=$!
  trap 'kill $pinned' EXIT
  within 30 test -s /run/vm/pinned
}

# one_line: what is wrapped for 80 columns, as one line.
one_line() { tr -s ' \n' ' '; }
