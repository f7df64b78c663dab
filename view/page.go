package view

import (
	"fmt"
	"io"
	"strings"
)

// DefaultWidth is the width of text whose reader does not say another.
const DefaultWidth = 80

// minimalWidth is the least that the layout is made for.
const minimalWidth = 40

// A style is an SGR sequence (ECMA-48 8.3.117), or none.
type style string

// The styles.
const (
	plainStyle style = ""
	boldStyle  style = "\x1b[1m"
	dimStyle   style = "\x1b[2m"
	cyanStyle  style = "\x1b[36m"
	resetStyle style = "\x1b[0m"
)

// A page is text being laid out. All that is put on it goes through Escape, and
// nothing else writes to a terminal; so nothing from a log reaches one raw.
type page struct {
	text  strings.Builder
	width int // in columns
	color bool
}

func newPage(width int, color bool) *page {
	if width == 0 {
		width = DefaultWidth
	}
	return &page{width: max(width, minimalWidth), color: color}
}

// put writes one line of safe text.
func (p *page) put(indent int, s style, safe string) {
	p.text.WriteString(strings.Repeat(" ", indent))
	if p.color && s != plainStyle {
		safe = string(s) + safe + string(resetStyle)
	}
	p.text.WriteString(safe)
	p.text.WriteByte('\n')
}

// blank writes an empty line.
func (p *page) blank() { p.text.WriteByte('\n') }

// whole writes one line that is never broken, however wide.
func (p *page) whole(indent int, s style, text string) { p.put(indent, s, Escape(text)) }

// short writes one line, shortened in the middle to the width of the page.
func (p *page) short(indent int, s style, text string) {
	p.put(indent, s, shorten(Escape(text), p.width-indent))
}

// paragraph writes text broken into lines; the first has the mark ("- ", "1. ")
// before it, the others start below its text.
func (p *page) paragraph(indent int, mark string, s style, text string) {
	inner := indent + columns(mark)
	for i, line := range Wrap(Escape(text), p.width-inner) {
		if i == 0 {
			p.put(indent, s, mark+line)
			continue
		}
		p.put(inner, s, line)
	}
}

// writeTo hands the page on in one write.
func (p *page) writeTo(w io.Writer) error {
	if _, err := io.WriteString(w, p.text.String()); err != nil {
		return fmt.Errorf("write text: %w", err)
	}
	return nil
}
