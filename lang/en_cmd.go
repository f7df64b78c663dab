package lang

import "github.com/oomdoc/oomdoc"

// englishCmd holds the English sentences of the command.
func englishCmd() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"cmd.nothing-stored": "No incident is stored that fits. Nothing has died of memory since oomdoc began to watch, or the filter leaves none.",
		"cmd.nothing-found":  "No out-of-memory failure was found in it. A kernel kill stands in the kernel's log: sudo dmesg | oomdoc explain -",
		"cmd.nothing-read":   "There is not one line in it to explain. The kernel's log of this boot: sudo dmesg | oomdoc explain -",

		"cmd.watching":      "Watching {path}; incidents go to {database}.",
		"cmd.watching-how":  "In another terminal, as root: {command} selftest, then {command} last --all",
		"cmd.watching-stop": "Ctrl-C stops it.",
		"cmd.burst-more":    "and in the same burst: {summary} ({id})",

		"cmd.status.running":        "The daemon runs (pid {pid}, started {age}) and watches this machine.",
		"cmd.status.stopped":        "The daemon is not running: nothing is watched now.",
		"cmd.status.never":          "The daemon has never run here: there is no database yet.",
		"cmd.status.failing":        "The daemon runs, but its database cannot be written: {error}",
		"cmd.status.incidents":      "{n} stored, the newest {age}",
		"cmd.status.no-incidents":   "none stored",
		"cmd.status.database":       "{path}, {size}",
		"cmd.status.kmsg":           "watched: {path}, {records|record|records} read (reader {reader})",
		"cmd.status.kmsg-off":       "not watched: the daemon is not running",
		"cmd.status.lost":           "{records|log record was|log records were} lost in {times|gap|gaps} during the last 30 days: failures among them are missing",
		"cmd.status.lost-none":      "no log record in the last 30 days",
		"cmd.status.journal-off":    "not watched: the daemon is not running",
		"cmd.status.gpu-off":        "not watched: the daemon is not running",
		"cmd.status.gpu-disabled":   "not watched: the configuration has enabled = false under [gpu]",
		"cmd.status.gpu-none":       "none found: no NVIDIA driver is loaded, and no card tells its memory in /sys",
		"cmd.status.gpu-why":        "not watched now: {why}",
		"cmd.status.gpu-asleep":     "asleep: they are powered down and are not woken",
		"cmd.status.gpu-released":   "let go, so that the driver can be reloaded",
		"cmd.status.gpu":            "watched: {devices|device|devices}, driver {driver}",
		"cmd.status.gpu-lacking":    "the driver's library lacks {n|function|functions}: {first} ...",
		"cmd.status.device":         "{index}: {name}, {total}; seen {age}",
		"cmd.status.device-fault":   "{index}: {name}: {fault}",
		"cmd.status.device-asleep":  "{index}: {name}: asleep",
		"cmd.status.device-unified": "{index}: {name}: uses the machine's RAM; seen {age}",
		"cmd.status.alerts":         "{sent} sent to the journal: journalctl -t oomdoc",
		"cmd.status.alerts-stderr":  "no journal took one yet; without a journal they go to the daemon's standard error",

		"cmd.status.journal":          "watched: {records|entry was|entries were} worth reading",
		"cmd.status.journal-disabled": "not watched: the configuration has enabled = false under [journal]",
		"cmd.status.journal-waits":    "not watched now: {why}",
		"cmd.status.journal-limited":  "{limited|failure was|failures were} not taken: one writer told of too many",

		"cmd.status.since":            "since {time}",
		"cmd.status.last":             "last record {age}; {lost|record|records} lost since the start",
		"cmd.status.database-written": "last written {age}",
		"cmd.status.helper-root":      "not needed: the daemon runs as root",
		"cmd.status.helper":           "answers on {socket}",
		"cmd.status.helper-none":      "does not answer on {socket}",
		"cmd.status.names":            "{processes|command line|command lines} remembered, {names|container or pod|containers and pods} known by name",
		"cmd.status.version":          "{version}",
		"cmd.status.other-version":    "the daemon is {daemon}, this command {command}",
		"cmd.status.limit":            "{what}",

		"cmd.run.stored":     "Stored in {path}.",
		"cmd.run.not-stored": "Not stored: {error}",
		"cmd.run.missed":     "{size} of the output came too fast to be looked at; what it said is missing.",
		"cmd.own":            "From your own database, {path}; the system's: {error}",

		"cmd.hidden":         "{n|incident is|incidents are} another user's: command lines, paths and log lines are not shown. To see all of it: sudo usermod -aG systemd-journal {user}, then log in again.",
		"cmd.import.done":    "{records|record|records} read: {new|new incident|new incidents}, {known} known already.",
		"cmd.import.reached": "{name}, {time}: {new|new incident|new incidents}",

		"cmd.purge.ask":  "Forget {n|incident|incidents} for good? [y/N]",
		"cmd.purge.done": "{n|incident|incidents} forgotten.",
		"cmd.purge.none": "No incident is stored that fits.",

		"cmd.selftest.daemon":       "the daemon with pid {pid} watches; its database is {database}",
		"cmd.selftest.own":          "no daemon runs here, so the self-test watches the kernel log by itself",
		"cmd.selftest.cgroup":       "made {path} with a limit of {limit}",
		"cmd.selftest.hog":          "started a process in it that takes more than that",
		"cmd.selftest.read":         "the kernel killed it, and the daemon has read the kernel's line",
		"cmd.selftest.stored":       "stored as {id}, {after} after it was read",
		"cmd.selftest.alert":        "not sent for a self-test; the journal takes alerts here",
		"cmd.selftest.alert-stderr": "not sent for a self-test; there is no journal here, alerts go to standard error",
		"cmd.selftest.verdict":      "{class}, {cause}, {confidence}: {summary}",
		"cmd.selftest.good":         "Kills arrive. Look at this one: {command} last --all",
		"cmd.selftest.good-own":     "Kills can be seen here, but nothing watches now, and this one was not kept. Start the daemon: sudo {command} daemon",
	}
}
