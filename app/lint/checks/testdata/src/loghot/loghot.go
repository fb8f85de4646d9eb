package loghot

import (
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"os"

	"github.com/go-logr/logr"
	"github.com/sirupsen/logrus"
)

func access(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		log.Printf("%s %s", r.Method, r.URL.Path) // want `a line of log at each pass`
		next.ServeHTTP(w, r)
	})
}

func consume(l *slog.Logger, in [][]byte) {
	for _, m := range in {
		l.Info("message", "size", len(m)) // want `count it in a metric`
	}
}

func entry(r *http.Request) {
	logrus.WithField("path", r.URL.Path).Info("request") // want `a line of log`
}

type eventLogger interface {
	Warnf(format string, args ...any)
	Error(args ...any)
}

func slow(l eventLogger, ms int) {
	if ms > 100 {
		l.Warnf("slow: %d ms", ms) // want `a line of log`
	}
}

type server struct{ errors *log.Logger }

func (s *server) fail(w http.ResponseWriter, err error) {
	s.errors.Println("cannot answer:", err) // want `a line of log`
	w.WriteHeader(http.StatusInternalServerError)
}

func adapted(l adapterLogger, n int) {
	l.Infof("%d", n) // want `a line of log`
}

// What follows is fine.

func init() {
	log.Println("listening") // at the start
	setupServer()
}

func setupServer() { slog.Info("set up") }

func debugged(l *slog.Logger, m []byte) { l.Debug("message", "size", len(m)) }

func verbose(l logr.Logger, n int) { l.V(2).Info("n", "n", n) }

type adapterLogger struct{ to *slog.Logger }

func (l adapterLogger) Infof(format string, args ...any) {
	l.to.Info(fmt.Sprintf(format, args...)) // its callers are reported
}

func fatal(err error) { log.Fatalf("cannot start: %v", err) }

type page struct{}

func (page) Print(args ...any)       {}
func (page) Log(x float64) float64   { return x }
func (page) Information() (s string) { return s }

func printed(p page) {
	p.Print("a page")
	_ = p.Log(2)
	fmt.Fprintln(os.Stdout, p.Information())
}
