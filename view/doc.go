// Package view prints an incident for readers: as text for a terminal, as a row
// of a table, and as the JSON document of docs/json.md.
//
// It is the edge where text from outside meets a terminal: whatever a log
// holds, no control character of it gets out (Escape).
package view
