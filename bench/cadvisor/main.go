// Command cadvisor runs cAdvisor's own path from raw kernel log records to
// events over a file, for the comparison of docs/benchmarks.md: its parser of
// /dev/kmsg (go-kmsg-parser) and its oomparser, unchanged, with the device
// replaced by the file. It is a module of its own so that none of this enters
// the product.
//
//	cadvisor FILE   prints {"ns": median of ten passes, "kills": found}
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"github.com/euank/go-kmsg-parser/kmsgparser"
	"github.com/google/cadvisor/utils/oomparser"
	"k8s.io/klog/v2"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: cadvisor FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read stream: %w", err)
	}
	quiet := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(quiet)
	if err := quiet.Parse([]string{"-logtostderr=false", "-alsologtostderr=false", "-stderrthreshold=FATAL"}); err != nil {
		return fmt.Errorf("silence klog: %w", err)
	}
	klog.SetOutput(io.Discard)

	var times []int64
	kills := 0
	for range passes {
		var taken time.Duration
		if taken, kills, err = pass(data); err != nil {
			return err
		}
		times = append(times, taken.Nanoseconds())
	}
	slices.Sort(times)
	return json.NewEncoder(os.Stdout).Encode(map[string]int64{"ns": times[passes/2], "kills": int64(kills)})
}

const passes = 10

// pass reads the whole stream once.
func pass(data []byte) (taken time.Duration, kills int, err error) {
	oom, err := oomparser.New()
	if err != nil {
		return 0, 0, fmt.Errorf("open /dev/kmsg (needs root): %w", err)
	}
	replaceDevice(oom, &device{data: data})

	begun := time.Now()
	events := make(chan *oomparser.OomInstance, 10)
	go func() {
		oom.StreamOoms(events)
		close(events)
	}()
	for event := range events {
		if event.Pid != 0 {
			kills++
		}
	}
	return time.Since(begun), kills, nil
}

// replaceDevice puts the file where /dev/kmsg was. Both fields are unexported,
// and neither library lets a test choose the device.
func replaceDevice(oom *oomparser.OomParser, d *device) {
	inner := field(reflect.ValueOf(oom).Elem(), "parser").Interface().(kmsgparser.Parser)
	reader := field(reflect.ValueOf(inner).Elem(), "kmsgReader")
	reader.Interface().(io.Closer).Close()
	reader.Set(reflect.ValueOf(d))
}

func field(of reflect.Value, name string) reflect.Value {
	f := of.FieldByName(name)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// A device gives one record per read, as /dev/kmsg does.
type device struct{ data []byte }

func (d *device) Read(p []byte) (int, error) {
	if len(d.data) == 0 {
		return 0, io.EOF
	}
	end := 0
	for end < len(d.data) && (end == 0 || d.data[end] == ' ') { // dictionary lines belong to the record before
		line := bytes.IndexByte(d.data[end:], '\n') + 1
		if line == 0 {
			line = len(d.data) - end
		}
		end += line
	}
	n := copy(p, d.data[:end])
	d.data = d.data[end:]
	return n, nil
}

func (d *device) Seek(int64, int) (int64, error) { return 0, nil }
func (d *device) Close() error                   { return nil }
