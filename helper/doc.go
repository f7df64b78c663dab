// Package helper does for the daemon what only root may do, and nothing else.
//
// The daemon reads hostile text and is therefore not root. What needs root is
// little: to send an alert with UID 0, and to open a file that names a container
// or shows a process of another user. It is asked for over a socket that admits
// one user, in packets of a fixed form, and none of them holds a path, the name
// of a journal field or anything else that would have to be parsed. The helper
// reads none of the files that it opens; it passes their descriptors.
//
// Local does the same within the process, as far as that process may.
package helper
