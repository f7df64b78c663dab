// Package systemd tells systemd that the daemon is ready and alive, and writes
// the alerts into its journal.
//
// It reads the journal too, through a child journalctl (JournalFollower).
//
// An alert is one structured journal entry. It goes through
// github.com/coreos/go-systemd/v22/journal, with the faults of that package
// covered: nothing here ever waits for a journal that is absent or hangs but
// the one goroutine of a Journal, and then for a bounded time.
package systemd
