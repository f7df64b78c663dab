package view

import (
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

const (
	keyPicture    oomdoc.Key = "view.heading.picture"
	keyPictureGPU oomdoc.Key = "view.picture.gpu"
	keyPictureOwn oomdoc.Key = "view.picture.own"
	keyPictureRAM oomdoc.Key = "view.picture.ram"
	keyPictureEnd oomdoc.Key = "view.picture.end"
	keyPictureOf  oomdoc.Key = "view.picture.of"
)

// A curve is one line of the picture.
type curve struct {
	label oomdoc.Key
	of    func(*oomdoc.Sample) *int64
	whole *int64 // what the full height is; nil: the highest value
}

// picture draws the minutes before: how full the GPU was, what the process held
// of it, and its RAM, a line each.
func (e *explanation) picture() {
	samples := e.inc.Samples
	if len(samples) < 2 {
		return
	}
	first, last := samples[0].Time, samples[len(samples)-1].Time
	if !last.After(first) {
		return
	}
	var total *int64
	if e.inc.GPU != nil {
		total = e.inc.GPU.TotalBytes
	}
	curves := []curve{
		{keyPictureGPU, func(s *oomdoc.Sample) *int64 { return s.GPUUsedBytes }, total},
		{keyPictureOwn, func(s *oomdoc.Sample) *int64 { return s.ProcessGPUBytes }, total},
		{keyPictureRAM, func(s *oomdoc.Sample) *int64 { return s.RSSBytes }, nil},
	}
	var drawn []curve
	width := 0
	for _, c := range curves {
		if latest(samples, c.of) != nil {
			drawn = append(drawn, c)
			width = max(width, columns(e.say(c.label, nil)))
		}
	}
	if len(drawn) == 0 {
		return
	}
	e.blank()
	e.put(0, boldStyle, Escape(e.say(keyPicture, oomdoc.Args{"over": oomdoc.Duration(last.Sub(first).Round(time.Second))})))
	for _, c := range drawn {
		e.curve(c, width)
	}
}

// curve draws one line: label, course, and the last value.
func (e *explanation) curve(c curve, width int) {
	samples := e.inc.Samples
	end := *latest(samples, c.of)
	value := e.say(keyPictureEnd, oomdoc.Args{"value": oomdoc.Bytes(end)})
	if c.whole != nil {
		value = e.say(keyPictureOf, oomdoc.Args{"value": oomdoc.Bytes(end), "whole": oomdoc.Bytes(*c.whole)})
	}
	const indent, gaps = 2, 4
	const widest = 60
	room := min(widest, e.width-indent-width-gaps-columns(value))
	if room < 8 {
		return
	}
	e.put(indent, plainStyle, Pad(Escape(e.say(c.label, nil)), width)+"  "+course(samples, c, room)+"  "+Escape(value))
}

// course draws values as bars of an eighth each: the highest in every piece of the
// time, so that a short peak is not lost.
func course(samples []oomdoc.Sample, c curve, room int) string {
	first := samples[0].Time
	span := samples[len(samples)-1].Time.Sub(first)
	highest := make([]int64, room)
	known := make([]bool, room)
	whole := int64(1)
	for i := range samples {
		value := c.of(&samples[i])
		if value == nil {
			continue
		}
		at := int(int64(room-1) * int64(samples[i].Time.Sub(first)) / int64(span))
		if at < 0 || at >= room {
			continue
		}
		highest[at], known[at] = max(highest[at], *value), true
		whole = max(whole, *value)
	}
	if c.whole != nil {
		whole = max(whole, *c.whole)
	}
	var text strings.Builder
	bar, drawn := " ", false
	for at := range room {
		if known[at] {
			bar, drawn = barOf(highest[at], whole), true
		}
		if !drawn {
			text.WriteString(" ")
			continue
		}
		text.WriteString(bar) // a value stands until the next one
	}
	return text.String()
}

// barOf is the bar of a value: the eighth blocks of Unicode.
func barOf(value, whole int64) string {
	bars := []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	eighth := int(float64(value) / float64(whole) * float64(len(bars)))
	return bars[min(max(eighth, 0), len(bars)-1)]
}

// latest is the last value that is known.
func latest(samples []oomdoc.Sample, of func(*oomdoc.Sample) *int64) *int64 {
	for i := len(samples) - 1; i >= 0; i-- {
		if value := of(&samples[i]); value != nil {
			return value
		}
	}
	return nil
}
