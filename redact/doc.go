// Package redact takes from an incident what its reader should not see: what
// belongs to another user of the machine (ForOthers), or what its owner would
// not put into a public bug report (Report).
package redact
