package main

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

// kernelJournal reads the kernel's lines of this boot from a time on, as far as
// the journal lets this user.
func kernelJournal(ctx context.Context, since time.Time, take func(*oomdoc.Record)) error {
	command := exec.CommandContext(ctx, "journalctl", "--dmesg", "--quiet", "--no-pager", "--output=json",
		fmt.Sprintf("--since=@%d", since.Unix()))
	lines, err := command.StdoutPipe()
	if err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	if err := command.Start(); err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	decoder := record.NewDecoder(lines, record.Options{Source: oomdoc.SourceJournal})
	var rec oomdoc.Record
	for decoder.Next(&rec) == nil {
		take(&rec)
	}
	if err := command.Wait(); err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	return nil
}
