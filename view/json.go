package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc"
)

// JSON writes the document of docs/json.md. The incidents must be rendered
// (lang.Render): a sentence without its text would stand there as an object.
// An empty list is [], never null.
//
// Characters that a terminal would act on, or that nobody can see, are written
// as \u escapes, which a JSON reader turns back.
func JSON(w io.Writer, incidents []oomdoc.Incident) error {
	document := oomdoc.Document{
		Schema:    oomdoc.Schema,
		Incidents: make([]oomdoc.Incident, 0, len(incidents)),
	}
	for _, inc := range incidents {
		inc.BootID = bootID(inc.BootID)
		if inc.Evidence == nil {
			inc.Evidence = []oomdoc.Evidence{}
		}
		if inc.Fixes == nil {
			inc.Fixes = []oomdoc.Fix{}
		}
		document.Incidents = append(document.Incidents, inc)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return fmt.Errorf("encode incidents: %w", err)
	}
	if _, err := w.Write(escapeJSON(text.Bytes())); err != nil {
		return fmt.Errorf("write incidents: %w", err)
	}
	return nil
}

// bootID writes a boot id in the one form of the contract, which is the
// journal's: /proc/sys/kernel/random/boot_id has dashes, _BOOT_ID has none.
func bootID(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }

// escapeJSON writes every character of a JSON text that isShown refuses as an
// escape. Outside strings JSON has only printable ASCII and the newlines of the
// indentation.
func escapeJSON(text []byte) []byte {
	var safe bytes.Buffer
	safe.Grow(len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '\n' || isShown(r):
			safe.Write(text[:size])
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&safe, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&safe, `\u%04x`, r)
		}
		text = text[size:]
	}
	return safe.Bytes()
}
