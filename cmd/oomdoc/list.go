package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/api"
	"github.com/oomdoc/oomdoc/store"
	"github.com/oomdoc/oomdoc/view"
)

func (a *app) listCommand() *cobra.Command {
	var filter filterFlags
	var n int
	c := &cobra.Command{
		Use:     "list",
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
			source, err := a.openIncidents()
			if err != nil {
				return err
			}
			defer func() { _ = source.Close() }() // it was only read
			incidents, err := rows(source, chosen, n, filter.all || a.json())
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
			return errors.Join(view.List(a.Out, language, rendered, options), a.tellHidden(source))
		},
	}
	filter.add(c)
	c.Flags().IntVarP(&n, "number", "n", 20, "")
	return c
}

// listPage is how many incidents are read at a time, listMost how many at all
// to fill the rows: a storm of thousands is one row.
const (
	listPage = 256
	listMost = 100 * listPage
)

// rows reads the incidents of the newest n rows: incidents, or bursts of them,
// each burst whole so that its count is right.
func rows(source api.Source, filter store.Filter, n int, apart bool) ([]oomdoc.Incident, error) {
	if apart {
		filter.Limit = n
		return source.List(filter)
	}
	var incidents []oomdoc.Incident
	seen := make(map[string]bool)
	for filter.Limit = listPage; filter.Offset < listMost; filter.Offset += listPage {
		page, err := source.List(filter)
		if err != nil {
			return nil, err
		}
		for _, incident := range page {
			row := cmp.Or(incident.Burst, incident.ID)
			if !seen[row] && len(seen) == n {
				return incidents, nil
			}
			seen[row] = true
			incidents = append(incidents, incident)
		}
		if len(page) < listPage {
			break
		}
	}
	return incidents, nil
}
