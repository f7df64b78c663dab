// Package api lets every user of the machine read what the daemon knows, over a
// unix socket: one request in a line of JSON, the answers in lines of JSON.
// Nothing can be changed through it. Who asks is known by the kernel's word
// (SO_PEERCRED), and decides what of an incident is told. docs/socket.md
// describes the protocol.
package api
