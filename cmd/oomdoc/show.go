package main

import (
	"errors"
	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/view"
)

func (a *app) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Short:   "show one incident whole, with its raw records",
		Long:    "Show one incident whole, with the log lines that it was read from. The first\ncharacters of an id are enough.",
		Example: "  oomdoc show k3m9",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			reader, err := a.openIncidents()
			if err != nil {
				return err
			}
			defer reader.Close()
			incident, err := reader.Get(args[0])
			if err != nil && a.json() && oomdoc.ErrorCode(err) == oomdoc.CodeNotFound {
				return errors.Join(err, view.JSON(a.Out, nil))
			} else if err != nil {
				return err
			}
			if a.json() {
				return a.explainAll([]oomdoc.Incident{incident}, keyNothingStored, true)
			}
			if incident.Records, err = reader.Records(incident.ID); err != nil {
				return err
			}
			language, err := a.language()
			if err != nil {
				return err
			}
			options := a.textOptions()
			options.Full, options.Records = true, true
			return view.Text(a.Out, language, language.Render(incident), options)
		},
	}
}
