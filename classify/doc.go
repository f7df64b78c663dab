// Package classify decides what failed: events and facts in, incidents with
// class, cause, confidence and evidence out. It is pure: no file, no clock, no
// log.
//
// The rules see a parsed report (oomdoc.KernelReport), never text. They stand
// in one ordered table (rules); the first that decides gives the verdict. What
// none of them explains is said to be undecided, with the numbers that are
// known.
package classify
