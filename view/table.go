package view

import (
	"slices"
	"strings"
)

// cells are the cells of one row: time, what, owner, why, id.
type cells [5]string

// gap is the space between two columns.
const gap = "  "

// A table lays rows out in columns.
type table struct {
	head cells
	rows []cells
}

// write puts the table on a page, the heading dimmed.
func (t table) write(p *page) {
	all := append([]cells{t.head}, t.rows...)
	for i := range all {
		for column := range all[i] {
			all[i][column] = Escape(all[i][column])
		}
	}
	widths := fit(natural(all), p.width)
	for i, row := range all {
		s := plainStyle
		if i == 0 {
			s = dimStyle
		}
		p.put(0, s, row.line(widths))
	}
}

// natural is the width of each column when nothing is shortened.
func natural(all []cells) [5]int {
	var widths [5]int
	for _, row := range all {
		for column, cell := range row {
			widths[column] = max(widths[column], columns(cell))
		}
	}
	return widths
}

// names are the columns of what and owner, which hold names of any length.
func names() []int { return []int{1, 2} }

// fit takes columns from the wider of the names until the row fits. Time, why
// and id are never shortened: a part of them is of no use.
func fit(widths [5]int, page int) [5]int {
	over := (len(widths)-1)*len(gap) - page
	for _, width := range widths {
		over += width
	}
	for ; over > 0; over-- {
		widest := slices.MaxFunc(names(), func(a, b int) int { return widths[a] - widths[b] })
		if widths[widest] <= 1 {
			break
		}
		widths[widest]--
	}
	return widths
}

// line joins the cells, each cut or filled to its width.
func (c cells) line(widths [5]int) string {
	fitted := make([]string, len(c))
	for column, cell := range c {
		fitted[column] = Pad(shorten(cell, widths[column]), widths[column])
	}
	return strings.TrimRight(strings.Join(fitted, gap), " ")
}
