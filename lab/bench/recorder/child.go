package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/trace"
	"strconv"
	"time"

	casebook "github.com/gocasebook/casebook"
)

// childArg makes this program a service that is recorded.
const childArg = "child"

func child(mode string) int {
	if err := serve(mode); err != nil {
		fmt.Fprintln(os.Stderr, "recorder: child:", err)
		return 1
	}
	return 0
}

// serve answers requests until its input ends. Each line of input is a question for the recorder's mode.
func serve(mode string) error {
	recorder, stop, err := record(mode)
	if err != nil {
		return err
	}
	defer stop()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: http.HandlerFunc(orders), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	stock := newStock()
	fmt.Println(l.Addr())
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Println(recorder())
	}
	runtime.KeepAlive(stock)
	_ = srv.Close()
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// record starts the recorder of a mode. The func that it returns says whether it runs.
func record(mode string) (recorder func() string, stop func(), err error) {
	switch mode {
	case "on":
		f := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: 5 * time.Second, MaxBytes: 32 << 20})
		return func() string { return "on" }, f.Stop, f.Start()
	case "governed":
		return watch(0)
	}
	return watch(-1)
}

// watch is Casebook in the process, with its own rules, and with nothing else that costs: no CPU windows.
func watch(traceCost float64) (recorder func() string, stop func(), err error) {
	dir, err := os.MkdirTemp("", "bench-recorder-")
	if err != nil {
		return nil, nil, err
	}
	w, err := casebook.New(casebook.Config{Service: "bench", Dir: dir, Windows: -1, TraceCost: traceCost})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	recorder = func() string {
		if s := w.Status().Trace; s != nil {
			return s.Mode
		}
		return "none"
	}
	return recorder, func() {
		cancel()
		if err := errors.Join(<-ended, os.RemoveAll(dir)); err != nil {
			fmt.Fprintln(os.Stderr, "recorder: child:", err)
		}
	}, nil
}

// An order is what the service answers with.
type order struct {
	ID    int
	Buyer string
	Lines []line
}

type line struct {
	Article string
	Count   int
	Price   float64
}

func newOrder(id int) order {
	o := order{ID: id, Buyer: "buyer-" + strconv.Itoa(id)}
	for i := range 40 {
		o.Lines = append(o.Lines, line{"article-" + strconv.Itoa(id+i), i, 9.99 * float64(i)})
	}
	return o
}

// newStock is 40 MB that stay. With a small heap the ring of a recorder would make collections rarer, and the recorded
// service the cheaper one.
func newStock() []order {
	stock := make([]order, 10_000)
	for i := range stock {
		stock[i] = newOrder(i)
	}
	return stock
}

// orders answers an order: some 40 µs of CPU.
func orders(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(newOrder(1000)) // the client may be gone
}
