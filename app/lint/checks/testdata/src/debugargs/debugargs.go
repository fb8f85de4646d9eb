package debugargs

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/go-logr/logr"
	log "github.com/sirupsen/logrus"
)

type order struct {
	ID    string
	Lines []int
}

func handle(w http.ResponseWriter, r *http.Request) {
	log.WithFields(log.Fields{"url": r.URL, "method": r.Method}).Debug("request") // want `ask for the level first`
}

func lines(l *slog.Logger, in [][]byte) {
	for _, line := range in {
		l.Debug("incoming line", "line", string(line)) // want `ask for the level first`
	}
}

func sum(l *slog.Logger, o *order) (n int) {
	for _, v := range o.Lines {
		slog.Debug(fmt.Sprintf("line %d of %s", v, o.ID)) // want `ask for the level first`
		n += v
	}
	return n
}

func reconcile(l logr.Logger, o *order) {
	l.V(2).Info("reconciling", "order", o.ID, "lines", len(o.Lines)) // want `ask for the level first`
}

func found(e *log.Entry, o *order, n int) {
	e.Debugf("%s has %d", o.ID, n)            // want `ask for the level first`
	e.WithField("order", o.ID).Debug("found") // want `ask for the level first`
}

// What follows is fine.

func constant(l *slog.Logger) { l.Debug("connected") }

func asked(ctx context.Context, l *slog.Logger, o *order) {
	if l.Enabled(ctx, slog.LevelDebug) {
		l.Debug("order", "lines", fmt.Sprint(o.Lines))
	}
}

func askedToo(o *order) {
	if log.IsLevelEnabled(5) {
		log.WithFields(log.Fields{"lines": o.Lines}).Debug("order")
	}
}

func info(e *log.Entry, o *order) {
	e.WithField("order", o.ID).Info("stored")
	slog.Info("stored", "order", o.ID)
}

type config struct{ Debug bool }

func (c config) DebugMode(on bool) bool { return c.Debug || on }

func mode(c config, on bool) bool { return c.DebugMode(on) }

func logrV0(l logr.Logger, o *order) { l.Info("stored", "order", o.ID) }

func init() { slog.Debug("start", "args", fmt.Sprint(1)) }
