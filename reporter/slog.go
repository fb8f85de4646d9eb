package reporter

import (
	"context"
	"errors"
	"log/slog"

	"github.com/gocasebook/casebook/casefile"
)

// Slog writes one record a case: a warning, and an error where the worst finding is critical. Its attributes have the
// names of Message's JSON.
func Slog(l *slog.Logger) Reporter {
	if l == nil {
		return faulty("log", errors.New("the logger is nil; give slog.Default() or one of your own"))
	}
	return Reporter{Name: "log", Send: func(ctx context.Context, r Report) error {
		m := NewMessage(r)
		level := slog.LevelWarn
		if len(m.Findings) > 0 && m.Findings[0].Severity == casefile.Critical {
			level = slog.LevelError
		}
		l.LogAttrs(ctx, level, "casebook: a case is closed", m.attrs()...)
		return nil
	}}
}

func (m *Message) attrs() []slog.Attr {
	attrs := []slog.Attr{
		slog.String("id", m.ID), slog.String("service", m.Service), slog.String("rule", m.Rule),
		slog.String("text", m.Text),
		slog.String("folder", m.Folder), slog.Int("findings", len(m.Findings)), slog.Int("evidence", m.Evidence),
		slog.Int("missing", m.Missing),
	}
	if len(m.Findings) > 0 {
		f := m.Findings[0]
		attrs = append(attrs, slog.Group("worst", slog.String("id", f.ID), slog.String("title", f.Title),
			slog.Int("score", f.Score), slog.String("where", f.Where), slog.String("remedy", f.Remedy)))
	}
	var named []any
	for _, name := range sortedKeys(m.Labels) {
		named = append(named, slog.String(name, m.Labels[name]))
	}
	return append(attrs, slog.Group("labels", named...)) // a group without attributes is not written
}

// A logger is the owner's, whose handler may panic: that must not take the owner's process down from a goroutine of
// ours.
type logger struct{ to *slog.Logger }

func (l logger) warn(text string, args ...any)  { l.say(l.to.Warn, text, args) }
func (l logger) error(text string, args ...any) { l.say(l.to.Error, text, args) }

func (l logger) say(to func(string, ...any), text string, args []any) {
	defer func() { _ = recover() }() // there is nobody left to tell
	to(text, args...)
}
