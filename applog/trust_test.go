package applog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// entry is a journal entry as `journalctl -o json` prints it.
func entry(fields ...string) string {
	parts := []string{`"__REALTIME_TIMESTAMP":"1768035600000000"`, `"_BOOT_ID":"0f8e2a4c6b1d4c3e9a7f5d3b1c9e7a5f"`}
	for i := 0; i < len(fields); i += 2 {
		parts = append(parts, fmt.Sprintf("%q:%q", fields[i], fields[i+1]))
	}
	return "{" + strings.Join(parts, ",") + "}\n"
}

const sending = `sending SIGTERM to process 7481 uid 1000 "Web Content": badness 12, VmRSS 2 MiB`

func TestAWriterIsKnownByWhatCannotBeForged(t *testing.T) {
	const killed = "Killed /system.slice/a.service due to memory pressure for /system.slice being 51.07% > 50.00% for > 20s with reclaim activity"
	for name, test := range map[string]struct {
		log  string
		want oomdoc.Witness
	}{
		"journald names the unit": {
			entry("MESSAGE", sending, "SYSLOG_IDENTIFIER", "earlyoom", "_TRANSPORT", "stdout", "_SYSTEMD_UNIT", "earlyoom.service", "_UID", "0"),
			oomdoc.WitnessProven,
		},
		"logger -t earlyoom by a user": {
			entry("MESSAGE", sending, "SYSLOG_IDENTIFIER", "earlyoom", "_TRANSPORT", "syslog", "_SYSTEMD_UNIT", "user@1000.service", "_UID", "1000"),
			oomdoc.WitnessNamed,
		},
		"systemd-oomd in the journal": {
			entry("MESSAGE", killed, "SYSLOG_IDENTIFIER", "systemd-oomd", "_TRANSPORT", "journal", "_SYSTEMD_UNIT", "systemd-oomd.service"),
			oomdoc.WitnessProven,
		},
		"the kernel's log by way of the journal": {
			entry("MESSAGE", sending, "SYSLOG_IDENTIFIER", "earlyoom", "_TRANSPORT", "kernel", "SYSLOG_FACILITY", "1", "_SYSTEMD_UNIT", "earlyoom.service"),
			oomdoc.WitnessForgeable,
		},
		"/dev/kmsg, facility daemon":  {"30,812,77740597,-;systemd-oomd[659]: " + killed + "\n", oomdoc.WitnessForgeable},
		"/dev/kmsg, no pid":           {"12,812,77740597,-;earlyoom: " + sending + "\n", 0},
		"dmesg":                       {"[    0.000000] Linux version 6.1.0-13-amd64 (gcc)\n[    0.000001] BIOS-provided physical RAM map\n[   77.749670] systemd-oomd[659]: " + killed + "\n", oomdoc.WitnessForgeable},
		"a syslog file":               {"Jan 10 09:00:00 n earlyoom[512]: " + sending + "\n", oomdoc.WitnessNamed},
		"a container's output":        {"2026-01-10T09:00:00.123456789Z stderr F " + sending + "\n", oomdoc.WitnessUnnamed},
		"a line pasted without a tag": {sending + "\n", oomdoc.WitnessUnnamed},
	} {
		t.Run(name, func(t *testing.T) {
			list := events(t, test.log)
			if name == "/dev/kmsg, no pid" {
				if len(list) != 0 {
					t.Errorf("a line without a program's tag was taken: %+v", *list[0].UserKill)
				}
				return
			}
			if len(list) != 1 {
				t.Fatalf("got %d events, want 1", len(list))
			}
			if got := list[0].UserKill.Witness; got != test.want {
				t.Errorf("got witness %d, want %d", got, test.want)
			}
		})
	}
}

func TestTheJournalsFieldsTellTheUnit(t *testing.T) {
	log := entry("MESSAGE", "hog.service: A process of this unit has been killed by the OOM killer.", "_TRANSPORT", "journal", "_PID", "1",
		"SYSLOG_IDENTIFIER", "systemd", "_SYSTEMD_UNIT", "init.scope", "UNIT", "hog.service", "MESSAGE_ID", "fe6faa94e7774663a0da52717891d8ef",
		"INVOCATION_ID", "aaaa") +
		entry("MESSAGE", "app.service: A process of this unit has been killed by the OOM killer.", "_TRANSPORT", "journal", "_PID", "1500",
			"SYSLOG_IDENTIFIER", "systemd", "_SYSTEMD_UNIT", "user@1000.service", "USER_UNIT", "app.service", "MESSAGE_ID", "fe6faa94e7774663a0da52717891d8ef")
	list := events(t, log)
	if len(list) != 2 {
		t.Fatalf("got %d events, want 2", len(list))
	}
	system, user := list[0].UserKill, list[1].UserKill
	if system.Unit != "hog.service" || system.UserUnit != "" || system.Witness != oomdoc.WitnessProven {
		t.Errorf("the system's unit: %+v", *system)
	}
	if user.UserUnit != "app.service" || user.Unit != "" || user.Witness != oomdoc.WitnessNamed {
		t.Errorf("the user's unit: %+v", *user)
	}
}

// A forged line in the kernel's log counts for more once a trusted one agrees.
func TestATrustedLineConfirmsAnUntrustedOne(t *testing.T) {
	const killed = "Killed /system.slice/a.service due to memory pressure for /system.slice being 51.07% > 50.00% for > 20s with reclaim activity"
	log := entry("MESSAGE", killed, "SYSLOG_IDENTIFIER", "systemd-oomd", "_TRANSPORT", "kernel", "SYSLOG_FACILITY", "3") +
		entry("MESSAGE", "a.service: systemd-oomd killed 2 process(es) in this unit.", "_TRANSPORT", "journal", "_PID", "1",
			"SYSLOG_IDENTIFIER", "systemd", "_SYSTEMD_UNIT", "init.scope", "UNIT", "a.service", "N_PROCESSES", "2")
	if got := decision(t, log); got.Witness != oomdoc.WitnessProven || got.Processes == nil || *got.Processes != 2 {
		t.Errorf("got %+v", got)
	}
}
