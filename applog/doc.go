// Package applog recognises the out-of-memory errors of programs in log text,
// one file per engine. It begins with the killers in user space: systemd-oomd,
// earlyoom, nohang, Meta's oomd, the kubelet, Ray's monitor, and the service
// manager's word of a kill.
//
// A file gives its entries (entry): the literal that stands in every line of a
// kind, and what reads such a line. One pass over a line finds all literals;
// a line of the kernel's own costs one comparison.
package applog
