package instance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/internal/room"
	"github.com/gocasebook/casebook/vitals"
)

// Expvar makes signals of numbers that package expvar publishes. rawURL is the page ("localhost:6060",
// "http://host/debug/vars"); a name is a path through its objects: "memstats.NumGC", "queue.length".
//
// The signal's name is the path in lower case with an underscore for what is neither a letter nor a digit. Its unit is
// Bytes if it ends in _bytes, Seconds if in _seconds; of one that ends in _total, which only grows, the growth per
// second (PerSecond) is given, absent in the first sample and where it shrank: the process was replaced. Every other is
// a Count.
//
// Nothing is sent before the first reading. A reading takes 5 s at most. A name that the page lacks, or that is not a
// number, leaves its signal absent and is named in the error. The others are still set.
func Expvar(rawURL string, names ...string) (vitals.Source, error) {
	u, err := expvarURL(rawURL)
	if err != nil {
		return vitals.Source{}, err
	}
	socket, _ := splitUnix(u)
	return expvarSource(newClient(originOf(wire(u)), socket, HTTPOptions{}), room.NewParty(), u, names)
}

// Expvar does what the function of that name does, with the target's credentials for a page on its host. A path such as
// "/debug/vars" is one of that host.
func (t *HTTP) Expvar(rawURL string, names ...string) (vitals.Source, error) {
	if strings.HasPrefix(rawURL, "/") {
		return expvarSource(t.client, t.party, at(t.base(), rawURL), names)
	}
	u, err := expvarURL(rawURL)
	if err != nil {
		return vitals.Source{}, err
	}
	return expvarSource(t.clientFor(u), t.party, u, names)
}

func expvarSource(client *http.Client, party *room.Party, u *url.URL, names []string) (vitals.Source, error) {
	if len(names) == 0 {
		return vitals.Source{}, errors.New(`no variable name was given; want names like "memstats.NumGC"`)
	}
	r := &expvarReader{url: u, client: client, party: party, vars: make([]expvarSignal, len(names))}
	s := vitals.Source{Name: "expvar " + redact.URL(u), Signals: make([]vitals.Signal, len(names)), Read: r.read}
	had := make(map[string]string)
	for i, name := range names {
		signal := describeExpvar(name)
		if signal.Name == "" {
			return vitals.Source{}, fmt.Errorf("%q names no variable", name)
		}
		if other, twice := had[signal.Name]; twice {
			return vitals.Source{}, fmt.Errorf("%q and %q would both be the signal %s", other, name, signal.Name)
		}
		had[signal.Name] = name
		s.Signals[i] = signal
		r.vars[i] = expvarSignal{path: name, rate: signal.Unit == vitals.PerSecond}
	}
	return s, nil
}

func expvarURL(rawURL string) (*url.URL, error) {
	u, err := parseURL(rawURL)
	if err != nil {
		return nil, err
	}
	_, page := splitUnix(u)
	prefix, _, _ := strings.Cut(page, "/debug/vars")
	prefix, _, _ = strings.Cut(prefix, "/debug/pprof")
	return at(u, strings.TrimSuffix(prefix, "/")+"/debug/vars"), nil
}

// describeExpvar is the signal of a variable.
func describeExpvar(path string) vitals.Signal {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '_'
	}, path)
	s := vitals.Signal{Name: strings.Trim(name, "_"), Unit: vitals.Count, Text: "the variable " + path + " (expvar)"}
	switch {
	case strings.HasSuffix(s.Name, "_bytes"):
		s.Unit = vitals.Bytes
	case strings.HasSuffix(s.Name, "_seconds"):
		s.Unit = vitals.Seconds
	case strings.HasSuffix(s.Name, "_total"):
		s.Unit, s.Text = vitals.PerSecond, "growth of the variable "+path+" (expvar)"
	}
	return s
}

// An expvarReader reads variables from one page.
type expvarReader struct {
	url    *url.URL
	client *http.Client
	party  *room.Party
	vars   []expvarSignal
	at     time.Time // of the last reading; zero for never
}

type expvarSignal struct {
	path string
	rate bool
	last float64 // NaN when the last reading had none; meaningless before the first
}

// expvarPatience is how long a reading may take.
const expvarPatience = 5 * time.Second

func (r *expvarReader) read(ctx context.Context, values []float64) error {
	ctx, cancel := context.WithTimeout(ctx, expvarPatience)
	defer cancel()
	var faults error
	err := getURL(ctx, r.client, r.url, func(body io.Reader) error {
		data, lease, err := r.party.ReadAll(body, maxPage)
		defer lease.Release()
		if errors.Is(err, room.ErrTooLarge) {
			return fmt.Errorf("the page is larger than the limit of %d MiB", maxPage>>20)
		}
		if err != nil {
			return err
		}
		return parsing.Do(ctx, func() { faults = r.parse(data, values) })
	})
	return errors.Join(err, faults)
}

// parse sets the values of the variables on a page.
func (r *expvarReader) parse(data []byte, values []float64) error {
	var page map[string]json.RawMessage
	if err := json.Unmarshal(data, &page); err != nil {
		return fmt.Errorf("reading %s: want one JSON object, as package expvar writes it: %w", redact.URL(r.url), err)
	}
	now, faults := time.Now(), []error(nil)
	for i := range min(len(r.vars), len(values)) {
		v := &r.vars[i]
		n, err := lookup(page, v.path)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %s %w", redact.URL(r.url), v.path, err))
		}
		values[i] = v.value(n, now.Sub(r.at).Seconds(), r.at.IsZero())
	}
	r.at = now
	return errors.Join(faults...)
}

// value is what a signal is worth when its variable is n, NaN for absent.
func (v *expvarSignal) value(n, seconds float64, first bool) float64 {
	grown := n - v.last
	v.last = n
	switch {
	case !v.rate:
		return n
	case first || !(grown >= 0) || seconds <= 0:
		return math.NaN()
	}
	return grown / seconds
}

var (
	errNoVariable = errors.New("is not on the page; names are case-sensitive")
	errNoNumber   = errors.New("is not a number")
)

// lookup is the number at a path, NaN with an error. A name may itself hold dots: the longest that is there counts.
func lookup(object map[string]json.RawMessage, path string) (float64, error) {
	if raw, ok := object[path]; ok {
		var n *float64
		if json.Unmarshal(raw, &n) != nil || n == nil {
			return math.NaN(), errNoNumber
		}
		return *n, nil
	}
	for end := strings.LastIndexByte(path, '.'); end > 0; end = strings.LastIndexByte(path[:end], '.') {
		var inner map[string]json.RawMessage
		if raw, ok := object[path[:end]]; ok && json.Unmarshal(raw, &inner) == nil {
			return lookup(inner, path[end+1:])
		}
	}
	return math.NaN(), errNoVariable
}
