// Package store keeps the incidents in one SQLite file.
//
// There is one writer, the daemon (Open), and any number of readers in other
// processes (OpenReader). The file is in WAL mode: a reader never waits for
// the writer, nor the writer for a reader.
//
// # What is durable when
//
// Write returns after the commit is in the operating system: a killed daemon
// loses nothing. Sync, called by the daemon at most once a second after a
// write, forces the commits to the disk: a power cut loses at most what was
// written since. See Store.Sync.
//
// # One kill, one row
//
// The same kill may be told many times: live, again with more in it, replayed
// after a restart, read from another source. identity.go decides which tellings
// are the same kill, merge.go what of each is kept.
package store
