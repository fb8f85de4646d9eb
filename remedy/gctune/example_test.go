package gctune_test

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/gocasebook/casebook/remedy/gctune"
)

// A service starts the tuner first and stops it last. Without a limit, as on a laptop, it runs as it always did.
func ExampleStart() {
	tuner, err := gctune.Start(gctune.Config{
		OnChange: func(c gctune.Change) { slog.Debug("garbage collector tuned", "change", c) },
	})
	switch {
	case errors.Is(err, gctune.ErrNoLimit):
		slog.Info("the collector is not tuned", "cause", err)
	case err != nil:
		slog.Warn("the collector is not tuned", "cause", err)
	default:
		defer func() {
			if err := tuner.Stop(); err != nil {
				slog.Warn("the collector's tuner had ended before", "cause", err)
			}
		}()
	}
	// … the service …
}

// An explicit limit, where no cgroup has one, and at most a quarter of the collector's usual work.
func ExampleNew() {
	tuner, err := gctune.New(gctune.Config{Limit: 2 << 30, MaxGOGC: 400})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tuner.Stats().Changes) // nothing happens before Run
	// Output: 0
}
