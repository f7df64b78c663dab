package daemon_test

import (
	"slices"
	"testing"

	"github.com/oomdoc/oomdoc/daemon"
)

// A search of a long log finds texts of eight bytes and more wherever they stand,
// shorter ones only as words of their own, and the shortest not at all.
func TestAnchorsAreLongEnoughToBeSearched(t *testing.T) {
	short := []string{
		"Killed",       // a word of its own, as shells print it
		"gfx1", "gfx9", // beside other lines of the same start, which bring it along
	}
	for _, anchor := range daemon.Anchors() {
		if len(anchor) < 8 && !slices.Contains(short, anchor) {
			t.Errorf("%q is shorter than eight bytes", anchor)
		}
	}
}
