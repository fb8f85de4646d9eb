package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/prove"
)

// childArg makes this program a service under watch.
const childArg = "child"

// An event is what a child tells its parent: one JSON object a line.
type event struct {
	Kind string    `json:"kind"`
	At   time.Time `json:"at,omitzero"`
	Text string    `json:"text,omitempty"`
	Path string    `json:"path,omitempty"`
	Heap uint64    `json:"heap,omitempty"` // bytes live after a GC cycle

	Share float64 `json:"share,omitempty"` // of the CPUs' time that a spike got: less than 1 when others wanted them
}

// Kinds of events.
const (
	evReady    = "ready"    // Text: the address it serves
	evSpike    = "spike"    // a spike begins
	evTrip     = "trip"     // the watcher tripped
	evEvidence = "evidence" // a piece of evidence is on disk
	evCase     = "case"     // all evidence is: Path
	evError    = "error"
	evHeap     = "heap"
	evMode     = "mode"  // of the flight recorder: Text
	evBurnt    = "burnt" // a spike has ended: Share
)

// A teller writes events.
type teller struct {
	mu  sync.Mutex // guards enc
	enc *json.Encoder
}

func (t *teller) tell(e event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.enc.Encode(e) // without a parent there is nobody to tell, and stdin ends as well
}

// A role is what a service does beside answering.
type role struct {
	spikes bool // look for CPU spikes, and do chores between them
	stock  int  // orders kept in memory
}

// child serves until its input ends. Lines of input are commands: "spike NUMBER DURATION", "heap"
// and "mode".
func child(args []string) int {
	flags := flag.NewFlagSet(childArg, flag.ContinueOnError)
	name := flags.String("watcher", nothingName, "which watcher")
	dir := flags.String("dir", "", "where evidence goes")
	var r role
	flags.BoolVar(&r.spikes, "spikes", false, "look for CPU spikes, and do chores")
	flags.IntVar(&r.stock, "stock", 0, "orders kept in memory")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	t := &teller{enc: json.NewEncoder(os.Stdout)}
	if err := serve(*name, *dir, r, t); err != nil {
		t.tell(event{Kind: evError, Text: err.Error()})
		return 1
	}
	return 0
}

func serve(name, dir string, r role, t *teller) error {
	w, ok := lookup(name)
	if !ok {
		return fmt.Errorf("there is no watcher %q", name)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: http.HandlerFunc(jsonHandler), ReadHeaderTimeout: 10 * time.Second}
	var work sync.WaitGroup
	work.Go(func() { _ = srv.Serve(l) }) // ended by Close
	ctx, cancel := context.WithCancel(context.Background())
	if r.spikes {
		work.Go(func() { chores(ctx) })
	}
	watching, err := w.start(dir, r.spikes, t.tell)
	if err != nil {
		cancel()
		return err
	}
	stock := newStock(r.stock)
	t.tell(event{Kind: evReady, Text: l.Addr().String()})
	obey(t, watching.mode)
	runtime.KeepAlive(stock)
	watching.stop()
	cancel()
	_ = srv.Close()
	work.Wait()
	return nil
}

// obey does what the parent asks for until it hangs up.
func obey(t *teller, mode func() string) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		f := strings.Fields(in.Text())
		switch {
		case len(f) == 3 && f[0] == evSpike:
			d, err := time.ParseDuration(f[2])
			if err != nil {
				t.tell(event{Kind: evError, Text: err.Error()})
				continue
			}
			burn(t, f[1], d)
		case len(f) == 1 && f[0] == evHeap:
			t.tell(event{Kind: evHeap, Heap: liveHeap()})
		case len(f) == 1 && f[0] == evMode:
			t.tell(event{Kind: evMode, Text: mode()})
		}
	}
}

func burn(t *teller, number string, d time.Duration) {
	usage, err := prove.NewSampler(os.Getpid())
	if err != nil {
		t.tell(event{Kind: evError, Text: err.Error()})
		return
	}
	t.tell(event{Kind: evSpike, At: time.Now(), Text: number})
	spike(number, d)
	u, err := usage.Next()
	if err != nil {
		t.tell(event{Kind: evError, Text: err.Error()})
		return
	}
	t.tell(event{Kind: evBurnt, At: time.Now(), Share: u.CPUSeconds / u.Seconds / float64(runtime.GOMAXPROCS(0))})
}

// liveHeap is what a GC cycle finds live.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC() // the first may free what only finalizers held
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
