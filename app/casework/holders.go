package casework

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/heapdump"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/refs"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/number"
)

// A HolderRequest asks who holds the memory of a target that serves heap dumps (casebook.HeapDumpHandler). The target
// stands still while it writes one, so nothing is taken before the price is accepted. The case gets the dump's summary.
type HolderRequest struct {
	Accepted bool   // the price; otherwise Capture ends with a *PriceError
	Binary   string // path of the target's program, for names of globals; "": the running one, where that is here
	Keep     string // file for the dump itself, with everything that was in memory; "": it is not kept
}

// A PriceError says what a heap dump costs that nobody has accepted yet.
type PriceError struct {
	URL   string
	Price instance.HeapDumpPrice
}

// Error says for how long the target would stand still.
func (e *PriceError) Error() string {
	return fmt.Sprintf("a heap dump stops %s for about %s: its heap has %s in %s objects. It answers nothing "+
		"meanwhile, and writes and sends a file of that size, with everything that is in its memory. Nothing was "+
		"captured",
		e.URL, number.Range(number.Seconds(e.Price.Low), number.Seconds(e.Price.High)),
		number.Bytes(float64(e.Price.Bytes)), number.Count(float64(e.Price.Objects)))
}

// A holderTaker takes a dump, last of all evidence.
type holderTaker struct {
	HolderRequest

	process *instance.HTTP
	dir     string
}

// attachment asks for the price.
func (r *HolderRequest) attachment(ctx context.Context, t *Target, dir string) (none casebook.Attachment, err error) {
	if engine.Is(t.URL) {
		return none, errors.New("an engine has no heap dumps: ask the process itself, behind its net/http/pprof")
	}
	process, err := t.process()
	if err != nil {
		return none, err
	}
	if _, err := process.Describe(ctx); err != nil { // finds the program
		return none, err
	}
	price, err := process.HeapDumpPrice(ctx)
	if err != nil {
		return none, err
	}
	if !r.Accepted {
		return none, &PriceError{process.URL(), price}
	}
	h := &holderTaker{*r, process, dir}
	return casebook.Attachment{Kind: casefile.HeapRefs, Take: h.take, Within: patience(price), Last: true}, nil
}

// patience is how long a dump, its way here and its reading may take: several times what they are expected to.
func patience(p instance.HeapDumpPrice) time.Duration {
	const least, times = 2 * time.Minute, 10
	return least + time.Duration(times*max(p.High, 0)*float64(time.Second))
}

// stacksKept of a dump's heap profile are in the summary: a finding looks for its line among them.
const stacksKept = 200

// take takes the dump and sums it up.
func (h *holderTaker) take(ctx context.Context) ([]byte, error) {
	f, err := h.file()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if h.Keep == "" {
		_ = os.Remove(f.Name()) // now, so that nothing stays of it whatever happens; where that fails, later
		defer os.Remove(f.Name())
	}
	stopped, err := h.process.HeapDump(ctx, f)
	if err != nil {
		return nil, err
	}
	s, err := h.read(ctx, f)
	if err != nil {
		return nil, err
	}
	s.Name, s.Stopped = "heap.dump", stopped.Seconds()
	return json.MarshalIndent(s, "", " ")
}

// file is where the dump goes: it is too large for the memory.
func (h *holderTaker) file() (*os.File, error) {
	if h.Keep != "" {
		return os.OpenFile(h.Keep, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	}
	return os.CreateTemp(h.dir, ".heapdump-")
}

// read reads the dump with the names of the program, or without them if that is not possible.
func (h *holderTaker) read(ctx context.Context, f *os.File) (*refs.Summary, error) {
	o := heapdump.Options{Binary: h.Binary, Stacks: stacksKept}
	if o.Binary == "" {
		o.Binary = h.process.Executable()
	}
	s, err := heapdump.Read(ctx, "heap.dump", f, o)
	if err == nil || ctx.Err() != nil || o.Binary == "" {
		return s, err
	}
	unnamed := err
	o.Binary = ""
	if s, err = heapdump.Read(ctx, "heap.dump", f, o); err == nil {
		s.Warn("globals have no names: %v", unnamed)
	}
	return s, err
}
