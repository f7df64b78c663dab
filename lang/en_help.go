package lang

import "github.com/oomdoc/oomdoc"

// englishHelp holds the English help of the command line. The texts of a command
// are "command.NAME.short", "command.NAME.long" (a paragraph a line) and
// "command.NAME.option.OPTION"; an option that several commands share is
// "option.OPTION". What stands in backquotes is the name of an option's value.
func englishHelp() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		englishHelpPage(),
		englishCommands(),
		englishOptions(),
	})
}

// englishHelpPage are the words of every help page.
func englishHelpPage() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"help.usage":           "Usage:",
		"help.examples":        "Examples:",
		"help.commands":        "Available Commands:",
		"help.options":         "Flags:",
		"help.global-options":  "Global Flags:",
		"help.some-options":    "[flags]",
		"help.some-command":    "[command]",
		"help.default":         "{usage} (default {value})",
		"help.more":            "Use \"{command} [command] --help\" for more information about a command.",
		"help.example.last":    "what died most recently, and why",
		"help.example.explain": "the same for a log that you have",
	}
}

func englishCommands() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"command.oomdoc.short": "what died of memory on this machine, why, and what to do",
		"command.oomdoc.long": "oomdoc watches this machine for programs that die of memory and explains each one: what died, which memory ran out, the proof, and the fix.\n\n" +
			"Exit status: 0 done, 1 failed, 2 wrong usage, 3 nothing found, 4 not permitted, 130 interrupted.",

		"command.last.short": "explain the most recent incident",
		"command.last.long":  "Explain the most recent incident: what died, which memory ran out, the proof, and what to do. Of a burst of kills the newest is explained.",

		"command.list.short": "list incidents, newest first",
		"command.list.long":  "List incidents, newest first; the kills of a burst share a line (--all parts them).",

		"command.show.short": "show one incident whole, with its raw records",
		"command.show.long":  "Show one incident whole, with the log lines that it was read from. The first characters of an id are enough. --redact replaces names and leaves command lines out, for a bug report: look at it before you post it.",

		"command.explain.short": "the same diagnosis for a log that you have",
		"command.explain.long":  "Explain the out-of-memory failures in a log: dmesg in any form, a journal export, syslog, a serial console. - or a pipe is standard input. Nothing is stored.",

		"command.status.short": "what is watched, what is not and why",
		"command.status.long":  "Say what is watched, what is not and why, and what would change that. Exit status 0 when the daemon runs and can store what it sees, 1 when not.",

		"command.selftest.short": "cause a real, harmless kill and show that it arrives",
		"command.selftest.long":  "Make a small memory cgroup, let the kernel kill a process of oomdoc's own inside it, and show each station that the kill passed. Nothing else is touched; the incident is marked, not alerted, and hidden from last and list unless --all.",

		"command.daemon.short": "watch this machine: the service, in the foreground too",
		"command.daemon.long":  "Follow the kernel log, store every incident and send the alerts. systemd starts it as a service; by hand it prints each incident as it comes.",

		"command.helper.short": "do for the daemon what only root may do",
		"command.helper.long":  "Answer the daemon's requests: send an alert as root, so that systemctl status shows it beside the crash, and open the files that name containers. systemd starts it by its socket, whose owner is the one user that it serves.",

		"command.purge.short": "forget incidents, with their log records",
		"command.purge.long":  "Forget incidents for good, with the log records that they were read from: by id, by age, by user. Age and user together choose what is both. The kernel log and the journal keep their own copies.",

		"command.import.short": "read what this machine logged before oomdoc was there",
		"command.import.long":  "Store the out-of-memory failures that stand in the logs of this machine: the journal of all boots, the kernel's ring, pstore, and kern.log, syslog and messages in /var/log with those that were rotated; or in the files that you name. Nothing is alerted, and what is stored already stays one incident. It goes on where the last import stopped; --since reads again.",

		"command.run.short": "run a command, and explain it if it dies of memory",
		"command.run.long":  "Run a command with its terminal as it is, watch what it prints and how it ends, and explain it on standard error if it died of memory. Needs no root and no service. What it prints passes unchanged and at once; nothing is added where nothing died of memory. The exit status is the command's; 128 and the number of a signal that ended it; 127 where there is no such command, 126 where it cannot be run.",

		"command.version.short": "print the version",
		"command.help.short":    "help about any command",
	}
}

func englishOptions() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"option.db":     "database `PATH` (default: the running daemon's, or {database})",
		"option.config": "configuration `FILE` (default {config})",
		"option.output": "`FORM` of the output: text or json",
		"option.color":  "colour, `WHEN`: auto, always or never; NO_COLOR is honoured",
		"option.lang":   "`LANGUAGE` of the output: en or ko (default: that of the locale)",
		"option.help":   "help for {command}",

		"option.since":  "only from this `TIME` on: 7d, 2h, 2026-11-30, yesterday",
		"option.until":  "only up to this `TIME`",
		"option.class":  "only this `CLASS`: vram, host-ram, fragmentation",
		"option.cause":  "only this `CAUSE`, for example cgroup-limit",
		"option.unit":   "only this systemd `UNIT`",
		"option.engine": "only this `ENGINE`, for example ollama",
		"option.all":    "self-tests too, and every kill of a burst by itself",

		"command.last.option.number": "explain the `N` most recent",
		"command.list.option.number": "at most `N` rows",
		"command.show.option.redact": "replace names, leave out command lines",

		"command.run.option.report": "write the explanation to this `FILE`, not to standard error",

		"command.purge.option.older-than": "all that happened longer than this `AGE` ago: 30d, 2h",
		"command.purge.option.user":       "all of this `USER`'s processes, by name or number",
		"command.purge.option.all":        "all of them",
		"command.purge.option.yes":        "do not ask",

		"command.import.option.since": "only what happened less than this `AGE` ago, read again: 90d, 12h",

		"command.helper.option.docker-root":      "docker's data-root `FOLDER`",
		"command.helper.option.containerd-state": "containerd's state `FOLDER`",
		"command.helper.option.containers-root":  "podman's and CRI-O's storage `FOLDER`",
	}
}
