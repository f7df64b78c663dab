package kmsg_test

import (
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
)

// taskRow is a row of a report's task table, kernel 6.1 on Arch Linux.
const taskRow = "[    246]     0   246    16404       66   159744      303          -250 systemd-journal\n"

// A flood is a device that has one more record as long as the taker is not too
// far behind, so that nothing is lost and all of it is measured.
type flood struct {
	seq    uint64
	taken  *atomic.Uint64
	closed atomic.Bool
}

func (d *flood) Read(buf []byte, wait bool) (int, error) {
	if !wait {
		return 0, syscall.EAGAIN // nothing was there before
	}
	const ahead = 10_000
	for d.seq > d.taken.Load()+ahead {
		if d.closed.Load() {
			return 0, os.ErrClosed
		}
		runtime.Gosched()
	}
	line := append(buf[:0], "4,"...)
	line = strconv.AppendUint(line, d.seq, 10)
	line = append(line, ",123456789,-;"...)
	line = append(line, taskRow...)
	d.seq++
	return len(line), nil
}

func (d *flood) Close() error {
	d.closed.Store(true)
	return nil
}

// BenchmarkFollow is reader, queue, decoder and clock, without the kernel.
func BenchmarkFollow(b *testing.B) {
	var taken atomic.Uint64
	open := func() (kmsg.TestDevice, error) { return &flood{taken: &taken}, nil }
	f, err := kmsg.FollowDevice(b.Context(), kmsg.Options{BootID: testBoot}, open)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var rec oomdoc.Record
	for b.Loop() {
		if err := f.Next(b.Context(), &rec); err != nil {
			b.Fatal(err)
		}
		taken.Store(rec.Seq)
	}
	if got := f.Stats(); got.LostQueue != 0 {
		b.Errorf("%d records were lost", got.LostQueue)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkRing follows the machine's own ring from its oldest record to its
// newest, opening and closing included.
func BenchmarkRing(b *testing.B) {
	for _, reader := range bothReaders {
		b.Run(string(reader), func(b *testing.B) {
			b.ReportAllocs()
			var records uint64
			for b.Loop() {
				f, err := kmsg.Follow(b.Context(), kmsg.Options{Reader: reader})
				if err != nil {
					b.Fatal(err)
				}
				var rec oomdoc.Record
				for !f.Stats().BacklogDone {
					if err := f.Next(b.Context(), &rec); err != nil {
						b.Fatal(err)
					}
				}
				records += f.Stats().Records
				if err := f.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
