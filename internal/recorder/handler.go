package recorder

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// defaultSeconds is the length of a profile when the request names none, as in net/http/pprof.
const defaultSeconds = 30

// Handler serves CPU profiles from the recorder, instead of net/http/pprof.Profile, which fails while a recorder holds
// the profiler:
//
//	mux.Handle("/debug/pprof/profile", cpu.Handler())
//
// It answers GET with ?seconds=N, a whole number from 1 to 300, 30 if it is missing. Other numbers and debug are
// answered with 400, more than 4 profiles at once with 503, and any other failure with 500; the body says why in words.
func (c *CPU) Handler() http.Handler {
	return http.HandlerFunc(c.serve)
}

func (c *CPU) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "a CPU profile is asked for with GET")
		return
	}
	d, err := asked(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if r.Method == http.MethodHead {
		profileHeaders(w)
		return
	}
	extendDeadline(w, r, d)
	p, err := c.Next(r.Context(), d)
	if errors.Is(err, ErrBusy) {
		refuse(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, fmt.Sprintf("Could not enable CPU profiling: %s", err))
		return
	}
	profileHeaders(w)
	w.Header().Set("Content-Length", strconv.Itoa(len(p.Data)))
	w.Write(p.Data) // an error means that the client has gone
}

func asked(q url.Values) (time.Duration, error) {
	if v := q.Get("debug"); v != "" && v != "0" {
		return 0, fmt.Errorf("debug=%s: a CPU profile has no text form; leave debug out", strconv.Quote(v))
	}
	v := q.Get("seconds")
	if v == "" {
		return defaultSeconds * time.Second, nil
	}
	n, err := strconv.Atoi(v)
	if limit := int(MaxSpan / time.Second); err != nil || n < 1 || n > limit {
		return 0, fmt.Errorf("seconds=%s: it must be a whole number from 1 to %d", strconv.Quote(v), limit)
	}
	return time.Duration(n) * time.Second, nil
}

// extendDeadline lets the server's write timeout begin when the profile is complete, as net/http/pprof does.
func extendDeadline(w http.ResponseWriter, r *http.Request, d time.Duration) {
	srv, ok := r.Context().Value(http.ServerContextKey).(*http.Server)
	if ok && srv.WriteTimeout > 0 {
		http.NewResponseController(w).SetWriteDeadline(time.Now().Add(d + patience + srv.WriteTimeout)) // best effort
	}
}

func profileHeaders(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="profile"`)
}

// refuse answers as net/http/pprof does, so that go tool pprof shows the text.
func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Go-Pprof", "1")
	w.WriteHeader(status)
	fmt.Fprintln(w, text)
}
