// Package proc says what a process is: who its cgroup belongs to, and what its
// command line was while it lived.
//
// OwnerOf and MaskSecrets are pure. A Table keeps the command lines of the
// largest processes, because the kernel's report of a kill has none and the
// process is gone when it is read. The roots of all files are parameters.
package proc
