package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// PurgeSchema names the JSON form of `oomdoc purge`.
const PurgeSchema = "oomdoc.purge/1"

const (
	keyPurgeAsk  oomdoc.Key = "cmd.purge.ask"
	keyPurgeDone oomdoc.Key = "cmd.purge.done"
	keyPurgeNone oomdoc.Key = "cmd.purge.none"
)

// purgeFlags say what to forget.
type purgeFlags struct {
	older, user string
	all, yes    bool
}

func (a *app) purgeCommand() *cobra.Command {
	var flags purgeFlags
	c := &cobra.Command{
		Use:     "purge [ID...]",
		Example: "  sudo oomdoc purge 7m2k9qxw4t\n  sudo oomdoc purge --older-than 30d\n  sudo oomdoc purge --user ann --yes",
		RunE:    func(c *cobra.Command, args []string) error { return a.purge(c, args, flags) },
	}
	c.Flags().StringVar(&flags.older, "older-than", "", "")
	c.Flags().StringVar(&flags.user, "user", "", "")
	c.Flags().BoolVar(&flags.all, "all", false, "")
	c.Flags().BoolVarP(&flags.yes, "yes", "y", false, "")
	return c
}

func (a *app) purge(c *cobra.Command, ids []string, flags purgeFlags) error {
	chosen := flags.older != "" || flags.user != ""
	if ways := one(len(ids) > 0) + one(chosen) + one(flags.all); ways != 1 {
		return usage(c, errors.New("say what to forget: ids, --older-than and --user, or --all"))
	}
	filter, err := a.purgeFilter(c, flags)
	if err != nil {
		return err
	}
	path, err := a.databasePath()
	if err != nil {
		return err
	}
	n, ids, err := a.purgeCount(ids, filter)
	if err != nil {
		return err
	}
	language, err := a.language()
	if err != nil {
		return err
	}
	if n > 0 && !flags.yes {
		if err := a.confirm(c, language.Text(oomdoc.Say(keyPurgeAsk, oomdoc.Args{"n": oomdoc.Count(n)}))); err != nil {
			return err
		}
	}
	removed := 0
	if n > 0 {
		if removed, err = store.Purge(context.WithoutCancel(c.Context()), path, ids, filter); err != nil {
			return err
		}
	}
	if a.json() {
		if err := json.NewEncoder(a.Out).Encode(map[string]any{"schema": PurgeSchema, "removed": removed}); err != nil {
			return fmt.Errorf("print result: %w", err)
		}
	}
	switch {
	case removed == 0:
		fmt.Fprintln(a.Err, language.Text(oomdoc.Say(keyPurgeNone, nil)))
		return errQuiet(oomdoc.CodeNotFound)
	case !a.json():
		fmt.Fprintln(a.Out, language.Text(oomdoc.Say(keyPurgeDone, oomdoc.Args{"n": oomdoc.Count(removed)})))
	}
	return nil
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (a *app) purgeFilter(c *cobra.Command, flags purgeFlags) (store.Filter, error) {
	filter := store.Filter{IncludeSelftest: true}
	if flags.older != "" {
		age, err := parseAge(flags.older)
		if err != nil {
			return filter, usage(c, err)
		}
		filter.Until = a.now().Add(-age)
	}
	if flags.user != "" {
		uid, err := userID(flags.user)
		if err != nil {
			return filter, usage(c, err)
		}
		filter.UID = &uid
	}
	return filter, nil
}

// userID reads a user's number or name.
func userID(name string) (int, error) {
	if uid, err := strconv.ParseUint(name, 10, 32); err == nil {
		return int(uid), nil
	}
	found, err := user.Lookup(name)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(found.Uid)
}

// purgeCount tells how many incidents would go, and their whole ids where ids
// were typed.
func (a *app) purgeCount(typed []string, filter store.Filter) (n int, ids []string, err error) {
	reader, err := a.openReader()
	if err != nil {
		return 0, nil, err
	}
	defer reader.Close()
	if len(typed) == 0 {
		n, err := reader.Count(filter)
		return n, nil, err
	}
	for _, id := range typed {
		incident, err := reader.Get(id)
		if err != nil {
			return 0, nil, err
		}
		ids = append(ids, incident.ID)
	}
	return len(ids), ids, nil
}

// confirm asks on the terminal. What is not a terminal cannot answer.
func (a *app) confirm(c *cobra.Command, question string) error {
	if !isTerminal(a.In) {
		return &oomdoc.Error{Code: oomdoc.CodeUsage, Err: errors.New("nobody is there to ask"), Hint: strings.Join(os.Args, " ") + " --yes"}
	}
	fmt.Fprintf(a.Err, "%s ", question)
	answer, err := bufio.NewReader(a.In).ReadString('\n')
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if c.Context().Err() != nil || !strings.EqualFold(strings.TrimSpace(answer), "y") && !strings.EqualFold(strings.TrimSpace(answer), "yes") {
		return errQuiet(oomdoc.CodeInterrupted)
	}
	return nil
}
