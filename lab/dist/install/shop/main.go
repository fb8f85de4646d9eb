// Shop is an ordinary small service, for a first diagnosis by somebody who has just unpacked Casebook: an API that
// searches a catalogue, and net/http/pprof on a port of its own. It has the kind of fault that ordinary services have:
// it compiles a regular expression for every request.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	_ "net/http/pprof"
	"os"
	"regexp"
	"strings"
	"time"
)

type item struct {
	Name  string `json:"name"`
	Cents int    `json:"cents"`
}

func catalogue() (items []item) {
	kinds := strings.Fields("lamp chair table shelf mirror carpet curtain vase clock candle")
	for i := range 400 {
		items = append(items, item{fmt.Sprintf("%s no. %d", kinds[i%len(kinds)], i), 500 + i*7%9000})
	}
	return items
}

// words is what may be asked for: any of some words, in any case.
func words(query string) (*regexp.Regexp, error) {
	parts := strings.FieldsFunc(query, func(r rune) bool { return r == ',' })
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return regexp.Compile(`(?i)\b(` + strings.Join(parts, "|") + `)\b(\s+no\.\s+[0-9]{1,6})?$`)
}

type shop struct{ items []item }

func (s *shop) search(w http.ResponseWriter, r *http.Request) {
	pattern, err := words(r.URL.Query().Get("q"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var found []item
	for _, i := range s.items {
		if len(found) < 5 && pattern.MatchString(i.Name) {
			found = append(found, i)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(found); err != nil {
		return // the client is gone
	}
}

func main() {
	s := &shop{items: catalogue()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /search", s.search)
	errs := make(chan error, 2)
	serve := func(address string, h http.Handler) {
		server := &http.Server{Addr: address, Handler: h, ReadHeaderTimeout: 5 * time.Second}
		errs <- server.ListenAndServe()
	}
	go serve("127.0.0.1:6060", http.DefaultServeMux) // net/http/pprof
	go serve("127.0.0.1:8080", mux)
	if err := <-errs; !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintln(os.Stderr, "shop:", err)
		os.Exit(1)
	}
}
