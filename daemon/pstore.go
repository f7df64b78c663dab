package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

// dumpsKey is where the store keeps which panics were read from dumps.
const dumpsKey = "pstore"

// maxDumps is how many of them are remembered.
const maxDumps = 256

// recalled are the panics that were read from dumps, by the id of what they say.
type recalled struct {
	IDs []string `json:"ids"`
}

// recallPanics finds what the persistent store kept of boots that ended in a
// panic about memory: nothing else remembers those, because what is in memory is
// lost and the disk is not written any more. Each is stored and alerted once.
func (s *service) recallPanics() {
	database := s.database.Load()
	if database == nil {
		return // it is asked again when there is one
	}
	folders := filepath.SplitList(s.options.Config.Pstore.Folders)
	dumps, err := record.FindDumps(folders)
	if err != nil {
		logDumps(s.log, err)
	}
	var known recalled
	if _, err := database.State(dumpsKey, &known); err != nil {
		s.log.Warn("cannot tell which dumps were read before", "error", err)
	}
	before := len(known.IDs)
	for i := range dumps {
		for _, incident := range panicsOf(&dumps[i], s.log) {
			if slices.Contains(known.IDs, incident.ID) {
				continue
			}
			known.IDs = append(known.IDs, incident.ID)
			s.writer.add(incident)
		}
	}
	if len(known.IDs) == before || s.writer.failure != nil {
		return // what was not stored is read again at the next start
	}
	known.IDs = known.IDs[max(0, len(known.IDs)-maxDumps):]
	if err := database.SetState(dumpsKey, known); err != nil {
		s.log.Warn("cannot note that dumps were read", "error", err)
	}
}

// logDumps tells what keeps dumps from being read.
func logDumps(log *slog.Logger, err error) {
	if errors.Is(err, fs.ErrPermission) {
		log.Info("dumps of panics cannot be read here; sudo oomdoc explain reads one", "error", err)
		return
	}
	log.Warn("cannot read dumps of panics", "error", err)
}

// panicsOf reads a dump and gives the panics about memory in it.
func panicsOf(dump *record.Dump, log *slog.Logger) []oomdoc.Incident {
	text, err := dump.Text()
	if err != nil {
		logDumps(log, err)
		return nil
	}
	found := make(map[string]oomdoc.Incident)
	var order []string
	diagnoser := NewDiagnoser(DiagnoserOptions{
		PageSize: int64(os.Getpagesize()),
		Emit: func(incident oomdoc.Incident) {
			if _, told := found[incident.ID]; !told {
				order = append(order, incident.ID)
			}
			found[incident.ID] = incident
		},
		Panicked: func(record string, value any) {
			log.Error("a record of a dump could not be understood and was passed over", "record", record, "panic", value)
		},
	})
	end := lastStamp(text)
	err = eachRecord(text, func(rec *oomdoc.Record) {
		if rec.Usec >= 0 && end >= 0 {
			rec.Time = dump.Time.Add(time.Duration(rec.Usec-end) * time.Microsecond)
			rec.TimeApproximate = true
		}
		// The kernel itself wrote the dump, with the facility before each line.
		if rec.Facility == oomdoc.FacilityUnknown && rec.Priority != oomdoc.PriorityUnknown {
			rec.Facility = oomdoc.FacilityKernel
		}
		diagnoser.Feed(rec)
	})
	if err != nil {
		logDumps(log, fmt.Errorf("read dump %s: %w", dump.Files[0], err))
	}
	diagnoser.Flush()
	var panics []oomdoc.Incident
	for _, id := range order {
		if incident := found[id]; incident.Outcome == oomdoc.OutcomePanic {
			incident.Source = oomdoc.SourceFile
			panics = append(panics, incident)
		}
	}
	return panics
}

// lastStamp is the stamp of the last line that has one: the moment of the dump.
func lastStamp(text []byte) int64 {
	last := int64(oomdoc.NoUsec)
	_ = eachRecord(text, func(rec *oomdoc.Record) { // the second reading tells of errors
		last = max(last, rec.Usec)
	})
	return last
}

func eachRecord(text []byte, do func(*oomdoc.Record)) error {
	decoder := record.NewDecoder(bytes.NewReader(text), record.Options{Source: oomdoc.SourceFile})
	return forEach(decoder, do)
}

func forEach(decoder *record.Decoder, do func(*oomdoc.Record)) error {
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		do(&rec)
	}
}
