// Package playbook chooses the fixes of an incident: what to change so that it
// does not happen again, with this incident's own numbers.
//
// The playbook is data: entries is the table of fixes by number and slug, and an
// entry is a list of remedies, each with the question when it applies. A step is
// a sentence, or a command that can be copied as it stands; every name in a
// command came from a log, so it is quoted for the shell.
package playbook
