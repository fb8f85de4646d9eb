package casework

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/refs"
	"github.com/gocasebook/casebook/internal/room"
)

// Cases is where the pages of evidence read: a store.Shelf or a store.Store.
type Cases interface {
	List(ctx context.Context, f store.Filter) (store.Page, error)
	Case(ctx context.Context, id string) (casefile.Case, error)
	Evidence(ctx context.Context, id, file string) (casefile.Evidence, store.Blob, error)
	Occurrences(ctx context.Context, keys []store.GroupKey) ([][]store.Occurrence, error)
}

// A View draws a page about the evidence of a case; the query of its address says what of it. Its errors are those of
// package store.
type View = func(ctx context.Context, w io.Writer, id string, query url.Values) error

// reading lets all that a server reads of evidence take turns: pages, comparisons and diagnoses of what was received. What
// is parsed takes up to some hundred megabytes each time, and memory is the process's. It is made when it is first used,
// as the memory limit is known then.
var reading = sync.OnceValue(room.NewReadersGate)

// InTurn does what reads evidence when its turn has come. It must not wait for a reader of its answer.
func InTurn(ctx context.Context, do func()) error { return reading().Do(ctx, do) }

// Views are the pages of evidence by the last part of their addresses. Profiles that were drawn last are kept as they
// are drawn.
// repositories has the folders of services whose source may be shown.
func Views(from Cases, repositories map[string]string) map[string]View {
	v := views{from, repositories}
	p := &profiles{views: v, drawings: drawings{most: room.Parsing() / drawingsPart}}
	return map[string]View{"profile": p.view, "goroutines": inTurn(v.goroutines), "memory": inTurn(v.memory),
		"lines": inTurn(v.lines),
		"trace": inTurn(v.trace)}
}

func inTurn(draw View) View {
	return func(ctx context.Context, w io.Writer, id string, query url.Values) (err error) {
		waited := InTurn(ctx, func() { err = draw(ctx, w, id, query) })
		return errors.Join(waited, err)
	}
}

type views struct {
	from         Cases
	repositories map[string]string // of services: folders with their source
}

// serverLinks are those of pages that a server shows.
var serverLinks = report.Links{Served: true}

func isProfile(e casefile.Evidence) bool { return e.GoFormat }

func isCPU(e casefile.Evidence) bool { return e.GoFormat && e.Kind == casefile.CPU }

func isTrace(e casefile.Evidence) bool { return e.Kind == casefile.Trace }

// choose finds a file of a case. Without a name it is of the sort that is wanted most, from the time of the trouble if
// there is one.
func (v views) choose(ctx context.Context, id, file string, wanted ...func(casefile.Evidence) bool) (casefile.Case,
	casefile.Evidence, error) {
	c, err := v.from.Case(ctx, id)
	if err != nil {
		return c, casefile.Evidence{}, err
	}
	if file != "" {
		wanted = []func(casefile.Evidence) bool{func(e casefile.Evidence) bool { return e.File == file }}
	}
	for _, want := range wanted {
		during := func(e casefile.Evidence) bool { return want(e) && e.Phase == casefile.During }
		at := slices.IndexFunc(c.Evidence, during)
		if at < 0 {
			at = slices.IndexFunc(c.Evidence, want)
		}
		if at >= 0 {
			return c, c.Evidence[at], nil
		}
	}
	return c, casefile.Evidence{}, fmt.Errorf("case %s has no such evidence: %w", id, store.ErrNotFound)
}

// read reads a file of evidence, as far as there is room for what is parsed.
func (v views) read(ctx context.Context, id, file string) ([]byte, error) {
	e, b, err := v.from.Evidence(ctx, id, file)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	if most := room.Parsing(); e.Bytes > most {
		return nil, fmt.Errorf("%w: %s has %d bytes, and %d are read here; download it", store.ErrTooLarge, file,
			e.Bytes, most)
	}
	return io.ReadAll(b)
}

// base finds what a profile is compared with: CASE/FILE.
func (v views) base(ctx context.Context, name string) (*report.ProfileBase, error) {
	id, file, ok := strings.Cut(name, "/")
	if !ok || file == "" {
		return nil, fmt.Errorf("%w: base is %.80q; want CASE/FILE", store.ErrInvalid, name)
	}
	c, e, err := v.choose(ctx, id, file)
	return &report.ProfileBase{Case: c, File: e.File}, err
}

// maxOthers is how many other cases of a service are offered to compare with: the latest.
const maxOthers = 8

func (v views) others(ctx context.Context, c *casefile.Case) (out []casefile.Case, err error) {
	page, err := v.from.List(ctx, store.Filter{Service: c.Target.Name, Limit: maxOthers + 1})
	if err != nil {
		return nil, err
	}
	for i := range page.Cases {
		if page.Cases[i].ID == c.ID || len(out) == maxOthers {
			continue
		}
		other, err := v.from.Case(ctx, page.Cases[i].ID)
		if errors.Is(err, store.ErrNotFound) { // removed meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, other)
	}
	return out, nil
}

func (v views) goroutines(ctx context.Context, w io.Writer, id string, query url.Values) error {
	c, err := v.from.Case(ctx, id)
	if err != nil {
		return err
	}
	in := report.GoroutinesInput{Case: c, Links: serverLinks}
	var ok bool
	if in.File, in.Base, ok = report.ChooseGoroutines(c, query.Get("file"), query.Get("base")); !ok {
		return fmt.Errorf("case %s has no such evidence of goroutines: %w", id, store.ErrNotFound)
	}
	if in.Data, err = v.read(ctx, id, in.File); err != nil {
		return err
	}
	if in.Base != "" {
		if in.BaseData, err = v.read(ctx, id, in.Base); err != nil {
			return err
		}
	}
	return report.WriteGoroutines(w, in)
}

func (v views) memory(ctx context.Context, w io.Writer, id string, query url.Values) error {
	c, err := v.from.Case(ctx, id)
	if err != nil {
		return err
	}
	in := report.MemoryInput{Case: c, Links: serverLinks}
	for _, e := range c.Evidence {
		if e.Kind != casefile.HeapRefs || e.GoFormat {
			continue
		}
		data, err := v.read(ctx, id, e.File)
		if err != nil {
			return err
		}
		in.File, in.Holders = e.File, new(refs.Summary) // the last one
		if err := json.Unmarshal(data, in.Holders); err != nil {
			in.Holders, in.Problem = nil, err.Error()
		}
	}
	return report.WriteMemory(w, in)
}

// traceTime bounds the reading of an execution trace for a page, which then says that it was interrupted. 26 MB are
// read in a second (docs/evidence/benchmarks.md), so it is enough for all that a watch takes.
const traceTime = 30 * time.Second

func (v views) trace(ctx context.Context, w io.Writer, id string, query url.Values) error {
	c, e, err := v.choose(ctx, id, query.Get("file"), isTrace)
	if err != nil {
		return err
	}
	in := report.TraceInput{Case: c, File: e.File, Links: serverLinks}
	_, b, err := v.from.Evidence(ctx, id, e.File)
	if err != nil {
		return err
	}
	defer b.Close()
	reading, cancel := context.WithTimeout(ctx, traceTime)
	defer cancel()
	t, err := trace.Read(reading, e.File, b)
	if err != nil {
		in.Problem = err.Error()
	} else {
		in.Trace = t.Summary()
	}
	return report.WriteTrace(w, in)
}
