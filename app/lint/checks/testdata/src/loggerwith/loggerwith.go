package loggerwith

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/go-logr/logr"
	"github.com/sirupsen/logrus"
)

type task struct{ id, queue string }

func complete(l *slog.Logger, t *task) {
	logger := l.With(slog.String("task", t.id)) // want `a logger with fields of its own`
	if t.queue == "" {
		logger.Error("no queue")
	}
}

func handle(w http.ResponseWriter, r *http.Request) {
	e := logrus.WithFields(logrus.Fields{"path": r.URL.Path}) // want `whether or not it logs`
	serve(w, e)
}

func serve(http.ResponseWriter, *logrus.Entry) {}

func reconcile(ctx context.Context, l logr.Logger, name string) {
	run(ctx, l.WithValues("name", name)) // want `give the fields to the lines`
}

func run(context.Context, logr.Logger) {}

func grouped(l *slog.Logger, ids []string) {
	for range ids {
		work(l.WithGroup("work")) // want `make it once for what it belongs to`
	}
}

func work(*slog.Logger) {}

func returned(l *slog.Logger, t *task) *slog.Logger {
	return l.With("task", t.id, "queue", t.queue) // want `a logger with fields`
}

// What follows is fine.

type session struct{ log *slog.Logger }

func open(l *slog.Logger, id string) *session {
	return &session{log: l.With("session", id)} // kept for as long as what it belongs to
}

func (s *session) rename(id string) { s.log = s.log.With("session", id) }

func once(r *http.Request) {
	logrus.WithField("path", r.URL.Path).Info("request") // of the line
}

func initLogger(l *slog.Logger) *slog.Logger { return l.With("service", "shop") }

func surely(r *http.Request) {
	e := logrus.WithField("path", r.URL.Path)
	if r.Method == http.MethodPost {
		e = e.WithField("post", true)
	}
	e.Info("request")
}

func later(r *http.Request, ok bool) {
	e := logrus.WithField("path", r.URL.Path)
	write := e.Info
	write("request", ok)
}

type query struct{}

func (q query) With(string) query  { return q }
func (q query) Named(string) query { return q }

func built(q query) query { return q.With("a").Named("b") }
