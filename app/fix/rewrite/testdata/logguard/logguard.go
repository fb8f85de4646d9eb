// Package logguard writes debug lines.
package logguard

import (
	"fmt"
	"log/slog"
)

type rule struct{ prefix string }

type engine struct {
	log   *slog.Logger
	calls int
}

func (e *engine) next() int { e.calls++; return e.calls }

func (e *engine) logger() *slog.Logger { return e.log }

// rate is lab/holdout3/tariffs, which uses zap.
func (e *engine) rate(r *rule, n int) {
	e.log.Debug(fmt.Sprintf("candidate for %d: %+v", n, *r))
	slog.Debug("candidate", "rule", fmt.Sprint(*r), "n", n)
}

// effects counts in the line.
func (e *engine) effects() {
	e.log.Debug(fmt.Sprintf("call %d", e.next()))
}

// made asks a function for the logger.
func (e *engine) made(n int) {
	e.logger().Debug(fmt.Sprintf("call %d", n))
}

// info is on.
func (e *engine) info(n int) {
	e.log.Info(fmt.Sprintf("call %d", n))
}

// cheap formats nothing.
func (e *engine) cheap(n int) {
	e.log.Debug("call", "n", n)
}

// asked asks already.
func (e *engine) asked(n int) {
	if e.log.Enabled(nil, slog.LevelDebug) {
		e.log.Debug(fmt.Sprintf("call %d", n))
	}
}
