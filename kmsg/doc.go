// Package kmsg follows the kernel log and understands its memory reports.
//
// Following and understanding are apart: a Follower turns /dev/kmsg into
// oomdoc.Records, a Parser turns records of any source into oomdoc.Events.
//
// One goroutine of a Follower does nothing but read(2) into a bounded queue,
// so that reading never waits for what comes after. The kernel's ring is small
// (128 KiB on many machines) and is overwritten whether or not anybody has
// read it; what was lost, in the ring or in the queue, is known exactly from
// the sequence numbers and is told with the next record.
package kmsg
