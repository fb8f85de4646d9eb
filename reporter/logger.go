package reporter

import "log/slog"

// A logger is the owner's, whose handler may panic: that must not take the owner's process down from a goroutine of
// ours.
type logger struct{ to *slog.Logger }

func (l logger) warn(text string, args ...any)  { l.say(l.to.Warn, text, args) }
func (l logger) error(text string, args ...any) { l.say(l.to.Error, text, args) }

func (l logger) say(to func(string, ...any), text string, args []any) {
	defer func() { _ = recover() }() // there is nobody left to tell
	to(text, args...)
}
