package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/view"
)

func (a *app) listCommand() *cobra.Command {
	var filter filterFlags
	var n int
	c := &cobra.Command{
		Use:     "list",
		Short:   "list incidents, newest first",
		Long:    "List incidents, newest first; the kills of a burst share a line (--all parts them).",
		Example: "  oomdoc list --since 7d\n  oomdoc list --unit ollama.service -n 50",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if n < 1 {
				return usage(c, fmt.Errorf("-n %d: want at least 1", n))
			}
			chosen, err := filter.filter(c, a.now())
			if err != nil {
				return err
			}
			reader, err := a.openReader()
			if err != nil {
				return err
			}
			defer reader.Close()
			chosen.Limit = n
			incidents, err := reader.List(chosen)
			if err != nil {
				return err
			}
			if a.json() || len(incidents) == 0 {
				return a.explainAll(incidents, keyNothingStored, true)
			}
			language, err := a.language()
			if err != nil {
				return err
			}
			rendered := make([]oomdoc.Incident, 0, len(incidents))
			for _, incident := range incidents {
				rendered = append(rendered, language.Render(incident))
			}
			options := a.textOptions()
			options.All = filter.all
			return view.List(a.Out, language, rendered, options)
		},
	}
	filter.add(c)
	c.Flags().IntVarP(&n, "number", "n", 20, "at most `N` incidents")
	return c
}
