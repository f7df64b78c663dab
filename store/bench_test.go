package store_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// BenchmarkWrite stores one incident with the 78 raw records of its report.
func BenchmarkWrite(b *testing.B) {
	s := openNew(b)
	records := report(b)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		inc := kill(n)
		inc.Records = records
		write(b, s, inc)
		n++
	}
}

// BenchmarkWriteAndSync is what a single kill costs until it is on the disk.
func BenchmarkWriteAndSync(b *testing.B) {
	s := openNew(b)
	records := report(b)
	n := 0
	for b.Loop() {
		inc := kill(n)
		inc.Records = records
		write(b, s, inc)
		if err := s.Sync(); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

// many fills a database with n incidents.
func many(b *testing.B, n int) string {
	b.Helper()
	s := openNew(b)
	records := report(b)
	var batch store.Batch
	for i := range n {
		inc := kill(i)
		inc.Records = records
		batch.Incidents = append(batch.Incidents, inc)
		if len(batch.Incidents) == 1000 || i == n-1 {
			if _, err := s.Write(batch); err != nil {
				b.Fatal(err)
			}
			batch.Incidents = batch.Incidents[:0]
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return s.Path()
}

// BenchmarkHistory reads a history of 100,000 incidents, each time with a
// connection of its own, as a command does.
func BenchmarkHistory(b *testing.B) {
	path := many(b, 100_000)
	read := func(read func(*store.Reader) error) func(*testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				r, err := store.OpenReader(path)
				if err != nil {
					b.Fatal(err)
				}
				if err := read(r); err != nil {
					b.Fatal(err)
				}
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("last", read(func(r *store.Reader) error {
		_, err := r.Last(1, store.Filter{})
		return err
	}))
	b.Run("get", read(func(r *store.Reader) error {
		_, err := r.Get(newID(777))
		return err
	}))
	b.Run("list-unit-absent", read(func(r *store.Reader) error {
		_, err := r.List(store.Filter{Unit: "absent.service", Limit: 20})
		return err
	}))
	b.Run("count", read(func(r *store.Reader) error {
		_, err := r.Count(store.Filter{Class: oomdoc.ClassHostRAM})
		return err
	}))
}
