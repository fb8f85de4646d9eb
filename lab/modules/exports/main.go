// Exports appends orders to a file by way of a child process: a record a line over its standard input.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net/http"
	"os/exec"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type archive struct {
	in   io.Writer
	days chan time.Time
}

func newArchive(buffered bool) (*archive, error) {
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	a := &archive{in: in, days: make(chan time.Time, 1000)}
	if buffered {
		a.in = bufio.NewWriterSize(in, 32<<10)
	}
	return a, cmd.Start()
}

func (a *archive) add(day time.Time, orders int) error {
	for i := range orders {
		if _, err := fmt.Fprintf(a.in, "%d;%s;%d;EUR\n", i, day.Format(time.DateOnly), i*37%10_000); err != nil {
			return err
		}
	}
	if f, ok := a.in.(*bufio.Writer); ok {
		return f.Flush()
	}
	return nil
}

func (a *archive) run() {
	for day := range a.days {
		if err := a.add(day, 300); err != nil {
			log.Fatal(err)
		}
	}
}

func start(o serve.Options) error {
	a, err := newArchive(o.Kind == "buffered")
	if err != nil {
		return err
	}
	go a.run()
	http.HandleFunc("POST /orders/{day}", func(w http.ResponseWriter, r *http.Request) {
		day, err := time.Parse(time.DateOnly, r.PathValue("day"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		select {
		case a.days <- day:
		default:
			http.Error(w, "too many days wait", http.StatusServiceUnavailable)
		}
	})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 900, Method: http.MethodPost,
		Path: func(i int) string { return fmt.Sprintf("/orders/2026-11-%02d", 1+i%28) }})
}
