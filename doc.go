// Package oomdoc holds the words that every other package speaks: record,
// event, facts, incident, evidence, fix. It does no I/O and imports nothing
// but the standard library.
package oomdoc
