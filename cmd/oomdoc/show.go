package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/api"
	"github.com/oomdoc/oomdoc/redact"
	"github.com/oomdoc/oomdoc/view"
)

func (a *app) showCommand() *cobra.Command {
	var redacted bool
	c := &cobra.Command{
		Use:     "show ID",
		Example: "  oomdoc show k3m9\n  oomdoc show k3m9 --redact",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			source, err := a.openIncidents()
			if err != nil {
				return err
			}
			defer func() { _ = source.Close() }() // it was only read
			return a.show(source, args[0], redacted)
		},
	}
	c.Flags().BoolVar(&redacted, "redact", false, "")
	return c
}

func (a *app) show(source api.Source, id string, redacted bool) error {
	incident, err := source.Get(id)
	if err != nil && a.json() && oomdoc.ErrorCode(err) == oomdoc.CodeNotFound {
		return errors.Join(err, view.JSON(a.Out, nil))
	} else if err != nil {
		return err
	}
	if _, told := source.(*api.Client); !told { // the daemon tells them with the incident
		if incident.Records, err = source.Records(incident.ID); err != nil {
			return err
		}
	}
	language, err := a.language()
	if err != nil {
		return err
	}
	incident = language.Render(incident)
	if redacted {
		host, err := os.Hostname()
		if err != nil {
			return fmt.Errorf("find the name to leave out: %w", err)
		}
		incident = redact.Report(incident, host)
	}
	if a.json() {
		return view.JSON(a.Out, []oomdoc.Incident{incident})
	}
	options := a.textOptions()
	options.Full, options.Records = true, true
	return errors.Join(view.Text(a.Out, language, incident, options), a.tellHidden(source))
}
