package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"regexp"
	"strconv"
	"time"
)

// numberForm is what the number of an article looks like: "lamp-4711".
const numberForm = `^[a-z]+-[0-9]{1,6}$`

// wellFormed reports whether a number is one. It is the shop's fault.
func wellFormed(number string) bool {
	ok, err := regexp.MatchString(numberForm, number)
	return err == nil && ok
}

// compiled is compiled once, when the program starts: the repair.
var compiled = regexp.MustCompile(numberForm)

func wellFormedRepaired(number string) bool {
	return compiled.MatchString(number)
}

// An article lies on a shelf.
type article struct {
	number string
	cents  int
}

// A shop answers what its shelves hold. valid is the check of numbers, with the fault or repaired.
type shop struct {
	shelves [][]*article
	valid   func(number string) bool
}

const (
	shelves  = 500
	articles = 100 // on a shelf
)

// newShop fills the shelves. Each article is an object of its own, as what a database driver returns: the collector has
// something to visit.
func newShop(repaired bool) *shop {
	s := &shop{shelves: make([][]*article, shelves), valid: wellFormed}
	if repaired {
		s.valid = wellFormedRepaired
	}
	kinds := [...]string{"lamp", "chair", "table", "mirror", "carpet", "Clock"} // the last is no number's word
	for i := range s.shelves {
		for k := range articles {
			number := kinds[k%len(kinds)] + "-" + strconv.Itoa(i*articles+k)
			s.shelves[i] = append(s.shelves[i], &article{number, 500 + (i*7+k*13)%9000})
		}
	}
	return s
}

// A content is what a shelf holds.
type content struct {
	Articles int `json:"articles"`
	Cents    int `json:"cents"` // all of them together
}

// shelf answers GET /shelf?n=17.
func (s *shop) shelf(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil || n < 0 || n >= len(s.shelves) {
		http.Error(w, fmt.Sprintf("n must be from 0 to %d", len(s.shelves)-1), http.StatusBadRequest)
		return
	}
	var c content
	for _, a := range s.shelves[n] {
		if s.valid(a.number) {
			c.Articles, c.Cents = c.Articles+1, c.Cents+a.cents
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(c) // an error: the client is gone
}

// handler is the shop with its profiles, as services serve them.
func (s *shop) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /shelf", s.shelf)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// Serve opens the shop at a loopback address until ctx ends.
func Serve(ctx context.Context, address string, repaired bool) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("opening the shop: %w", err)
	}
	server := &http.Server{Handler: newShop(repaired).handler(), ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { server.Close() })() // what is under way is given up
	if err := server.Serve(listener); ctx.Err() == nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("the shop: %w", err)
	}
	return nil
}
