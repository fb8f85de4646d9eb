package command_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/command"
)

// run runs a command whose context ends after a while.
func run(t *testing.T, do func(context.Context) error) (code int, took time.Duration, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	root := &cobra.Command{Use: "x", RunE: func(cmd *cobra.Command, _ []string) error { return do(cmd.Context()) }}
	command.Prepare(root)
	var out, errs bytes.Buffer
	began := time.Now()
	code = command.Run(ctx, root, nil, &out, &errs)
	return code, time.Since(began), errs.String()
}

// A command that reads what does not come to an end is left a second after its context has ended.
func TestRunLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan bool)
		defer close(release)
		code, took, said := run(t, func(context.Context) error { <-release; return nil })
		if code != command.ExitInterrupted || took != time.Minute+time.Second || !strings.Contains(said, "interrupted") {
			t.Errorf("exit code %d after %s, it said %q", code, took, said)
		}
	})
}

// One that ends in order is waited for.
func TestRunWaits(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(context.Context) error
		took time.Duration
	}{
		"in order": {func(ctx context.Context) error {
			command.InOrder(ctx)
			<-ctx.Done()
			time.Sleep(10 * time.Second)
			return nil
		}, 70 * time.Second},
		"soon": {func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(time.Second / 2)
			return nil
		}, time.Minute + time.Second/2},
		"by itself": {func(context.Context) error { return nil }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if code, took, said := run(t, c.do); code != command.ExitOK || took != c.took {
					t.Errorf("exit code %d after %s, it said %q; want 0 after %s", code, took, said, c.took)
				}
			})
		})
	}
}
