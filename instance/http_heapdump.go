package instance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/internal/redact"
)

// HeapDumpPage is where casebook.HeapDumpHandler is expected, beside net/http/pprof.
const HeapDumpPage = "/debug/casebook/heapdump"

// HeapDumpTook is the header in which it says for how many seconds the process stood still, with the collection before.
const HeapDumpTook = "Casebook-Heap-Dump-Seconds"

// A HeapDumpPrice is what a heap dump costs the process that writes it.
type HeapDumpPrice struct {
	Bytes   uint64  `json:"bytes"`        // of the heap, and about those of the dump
	Objects uint64  `json:"objects"`      // on the heap, garbage included
	Low     float64 `json:"low_seconds"`  // how long it stands still
	High    float64 `json:"high_seconds"` // at most, on a busy machine
}

// ErrNoHeapDump says that a target does not serve heap dumps.
var ErrNoHeapDump = errors.New("the service serves no heap dumps, and net/http/pprof has no page for them")

// maxPrice bounds the page with the price, in bytes.
const maxPrice = 64 << 10

// HeapDumpPrice asks what a heap dump would cost the target. It costs nothing. ErrNoHeapDump means that the target has
// no casebook.HeapDumpHandler.
func (t *HTTP) HeapDumpPrice(ctx context.Context) (p HeapDumpPrice, err error) {
	err = t.firstAnswer(ctx) // finds out where net/http/pprof is
	if err != nil {
		return p, err
	}
	ctx, cancel := context.WithTimeout(ctx, pagePatience)
	defer cancel()
	u := t.sibling(HeapDumpPage)
	err = getURL(ctx, t.client, u, func(r io.Reader) error {
		return json.NewDecoder(io.LimitReader(r, maxPrice)).Decode(&p)
	})
	var status *StatusError
	if errors.As(err, &status) &&
		(status.Status == http.StatusNotFound || status.Status == http.StatusMethodNotAllowed) {
		return p, fmt.Errorf("%s answered %d: %w", status.URL, status.Status, ErrNoHeapDump)
	}
	return p, err
}

// HeapDump takes a heap dump, for which the target stands still, and writes it to w. It says for how long the target
// says it stood still; 0 if it does not say.
func (t *HTTP) HeapDump(ctx context.Context, w io.Writer) (stopped time.Duration, err error) {
	u := t.sibling(HeapDumpPage)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, wire(u).String(), nil)
	if err != nil {
		return 0, fmt.Errorf("asking %s: %w", redact.URL(u), err)
	}
	resp, err := t.client.Do(req)
	if err != nil {
		return 0, unreachable(u, err, true)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, statusError(u, resp)
	}
	if seconds, err := strconv.ParseFloat(resp.Header.Get(HeapDumpTook), 64); err == nil && seconds > 0 {
		stopped = time.Duration(seconds * float64(time.Second))
	}
	if _, err := io.Copy(w, resp.Body); err != nil {
		return stopped, fmt.Errorf("reading %s: %w", redact.URL(u), err)
	}
	return stopped, nil
}

// Executable is the path of the target's program; "" where it does not run on this machine or may not be looked at.
func (t *HTTP) Executable() string {
	if p := t.proc.Load(); p != nil {
		return p.exe()
	}
	return ""
}
