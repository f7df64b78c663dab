// Package session runs a command with its terminal intact and gives a copy of
// what it prints. It looks at nothing in that.
//
// Where a person works at a terminal the command gets one of its own, a
// pseudo-terminal, and what is typed and printed is carried between the two: so
// progress bars, prompts, window sizes and job control work. A process of our
// own leads the session on it, because the kernel stops no process whose parent
// is in another session (an orphaned group, setpgid(2)): without it Ctrl-Z
// would do nothing.
//
// Everywhere else the command stays in our process group, keeps its standard
// input, and only what it prints is carried.
package session
