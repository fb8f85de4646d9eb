package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
)

type Message struct {
	ID     string `json:"id"`
	Tenant string `json:"tenant"`
	From   string `json:"from"`
	To     string `json:"to"`
	Text   string `json:"text"`
}

var errSpam = errors.New("spam")

// A step is something that is done with each message.
type step struct {
	name string
	run  func(context.Context, *Message) error
}

type worker struct {
	name  string
	inbox <-chan Message
	steps []step
	log   *slog.Logger
	done  atomic.Int64
	bad   atomic.Int64
}

// run works until the inbox is closed.
func (w *worker) run(ctx context.Context) {
	for m := range w.inbox {
		ctx = withMessage(ctx, m.ID)
		ctx = withTenant(ctx, m.Tenant)
		ctx = withHop(ctx, m.From+" > "+w.name)
		if err := w.process(ctx, &m); err != nil {
			w.bad.Add(1)
			continue
		}
		w.done.Add(1)
	}
}

func (w *worker) process(ctx context.Context, m *Message) error {
	for _, s := range w.steps {
		if err := s.run(ctx, m); err != nil {
			w.log.LogAttrs(ctx, slog.LevelDebug, s.name, fields(ctx)...)
			return err
		}
	}
	return nil
}

// quota counts what a tenant sends, in a window for each user where there is one.
type quota struct{ sent map[string]int }

func (q *quota) check(ctx context.Context, _ *Message) error {
	who := text(ctx, userKey)
	if who == "" {
		who = text(ctx, tenantKey)
	}
	q.sent[who]++
	return nil
}

func spam(_ context.Context, m *Message) error {
	t := strings.ToLower(m.Text)
	for _, w := range []string{"lottery", "prince", "crypto doubled", "miracle"} {
		if strings.Contains(t, w) {
			return errSpam
		}
	}
	return nil
}

// sign adds a line about where the message went through.
func sign(ctx context.Context, m *Message) error {
	m.Text += "\n-- \n" + text(ctx, hopKey) + " for " + text(ctx, tenantKey)
	if a := ctx.Value(attemptKey); a != nil {
		m.Text += " (again)"
	}
	return nil
}

// archive keeps the last messages.
type archive struct {
	last []Message
	next int
}

func (a *archive) keep(_ context.Context, m *Message) error {
	a.last[a.next] = *m
	a.next = (a.next + 1) % len(a.last)
	return nil
}
