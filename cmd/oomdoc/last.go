package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/view"
)

func (a *app) lastCommand() *cobra.Command {
	var filter filterFlags
	var n int
	c := &cobra.Command{
		Use: "last",
		Example: "  oomdoc last\n  oomdoc last -n 3\n  oomdoc last --unit ollama.service\n" +
			"  oomdoc last -o json | jq -r .incidents[0].cause",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if n < 1 {
				return usage(c, fmt.Errorf("-n %d: want at least 1", n))
			}
			chosen, err := filter.filter(c, a.now())
			if err != nil {
				return err
			}
			source, err := a.openIncidents()
			if err != nil {
				return err
			}
			defer func() { _ = source.Close() }() // it was only read
			chosen.Limit = n
			incidents, err := source.List(chosen)
			if err != nil {
				return err
			}
			return errors.Join(a.explainAll(incidents, keyNothingStored, true), a.tellHidden(source))
		},
	}
	filter.add(c)
	c.Flags().IntVarP(&n, "number", "n", 1, "")
	return c
}

const keyNothingStored oomdoc.Key = "cmd.nothing-stored"

// explainAll prints the incidents whole, or says in one sentence that there
// are none and ends with that status.
func (a *app) explainAll(incidents []oomdoc.Incident, nothing oomdoc.Key, stored bool) error {
	language, err := a.language()
	if err != nil {
		return err
	}
	rendered := make([]oomdoc.Incident, 0, len(incidents))
	for _, incident := range incidents {
		rendered = append(rendered, language.Render(incident))
	}
	if a.json() {
		if err := view.JSON(a.Out, rendered); err != nil {
			return err
		}
	} else {
		for i, incident := range rendered {
			if i > 0 {
				fmt.Fprintln(a.Out)
			}
			options := a.textOptions()
			options.NotStored = !stored
			if err := view.Text(a.Out, language, incident, options); err != nil {
				return err
			}
		}
	}
	if len(incidents) == 0 {
		fmt.Fprintln(a.Err, language.Text(oomdoc.Say(nothing, nil)))
		return errQuiet(oomdoc.CodeNotFound)
	}
	return nil
}

func (a *app) textOptions() view.TextOptions {
	now := a.now()
	return view.TextOptions{Width: a.width(), Color: a.colored(), Now: now, Location: now.Location()}
}
