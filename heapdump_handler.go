package casebook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/gocasebook/casebook/instance"
)

// HeapDumpHandler serves heap dumps of this process to `casebook capture --heap-refs`; net/http/pprof has no page for
// them. A service serves none unless it mounts this, beside net/http/pprof, where only its operators reach it:
//
//	mux.Handle("/debug/casebook/heapdump", casebook.HeapDumpHandler("/var/tmp"))
//
// GET answers with PriceOfHeapDump as JSON, and stops nothing. POST takes a dump, with all that WriteHeapDump says of
// it: the process stands still for seconds for each GiB, and whoever asks gets everything that is in its memory. One
// dump is taken at a time. Requests that a browser sends for another site are refused.
//
// The dump waits in a file of dir while it is sent, and is then gone. It is as large as the heap, so dir must not be in
// memory; "" means os.TempDir.
func HeapDumpHandler(dir string) http.Handler {
	h := &heapDumper{dir: dir}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", h.price)
	mux.HandleFunc("POST /", h.dump)
	return http.NewCrossOriginProtection().Handler(mux)
}

type heapDumper struct {
	dir  string
	busy sync.Mutex // held while a dump is written and sent
}

func (*heapDumper) price(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(PriceOfHeapDump()) // the client has gone
}

func (h *heapDumper) dump(w http.ResponseWriter, _ *http.Request) {
	if !h.busy.TryLock() {
		http.Error(w, "a heap dump is being taken", http.StatusConflict)
		return
	}
	defer h.busy.Unlock()
	// A server's own timeouts are for answers that are ready soon.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // where it cannot be set there is none
	if err := h.send(w); err != nil {
		http.Error(w, err.Error(), http.StatusInsufficientStorage)
	}
}

// send writes a dump into a file and sends that. The error is one from before anything was sent.
func (h *heapDumper) send(w http.ResponseWriter) error {
	f, err := os.CreateTemp(h.dir, ".casebook-heapdump-")
	if err != nil {
		return fmt.Errorf("writing a heap dump: %w", err)
	}
	_ = os.Remove(f.Name()) // now: nothing stays of a process that is killed meanwhile. Not on Windows:
	defer func() { _, _ = f.Close(), os.Remove(f.Name()) }()
	began := time.Now()
	err = dumpInto(f)
	took := time.Since(began)
	size, seeking := f.Seek(0, io.SeekEnd)
	_, rewinding := f.Seek(0, io.SeekStart)
	if err := errors.Join(err, seeking, rewinding); err != nil {
		return fmt.Errorf("writing a heap dump: %w", err)
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	w.Header().Set(instance.HeapDumpTook, strconv.FormatFloat(took.Seconds(), 'f', 3, 64))
	_, _ = io.Copy(w, f) // the client has gone
	return nil
}
