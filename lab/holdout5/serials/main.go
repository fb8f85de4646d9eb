// Serials gives out serial numbers, for machines of several lines at once. Two instances share the counters' folder.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	_ "net/http/pprof"
	"os"
	"regexp"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	dir, err := os.MkdirTemp("", "serials-")
	if err == nil {
		err = serve(p.Main(), &Counters{Dir: dir})
	}
	slog.Error("serials", "err", err)
	os.Exit(1)
}

type plate struct {
	Line   string `json:"line"`
	Serial int64  `json:"serial"`
	Code   string `json:"code"`
}

func serve(addr string, counters *Counters) error {
	http.HandleFunc("POST /lines/{line}/batches", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.FormValue("n"))
		if err != nil || n < 1 || n > 50 {
			http.Error(w, "n must be 1 to 50", http.StatusBadRequest)
			return
		}
		plates, err := batch(counters, r.PathValue("line"), n)
		switch {
		case errors.Is(err, ErrLine):
			http.Error(w, err.Error(), http.StatusBadRequest)
		case err != nil:
			slog.Error("no serials", "line", r.PathValue("line"), "err", err)
			http.Error(w, "no serials", http.StatusInternalServerError)
		default:
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(plates)
		}
	})
	http.HandleFunc("GET /codes/{code}", func(w http.ResponseWriter, r *http.Request) {
		if !codes.MatchString(r.PathValue("code")) {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintln(w, "genuine")
	})
	return http.ListenAndServe(addr, nil)
}

var codes = regexp.MustCompile(`^[A-Z0-9]+-\d{8}-[0-9a-f]{4}$`)

// batch numbers n machines.
func batch(c *Counters, line string, n int) ([]plate, error) {
	plates := make([]plate, n)
	var g errgroup.Group
	for i := range plates {
		g.Go(func() error {
			s, err := c.Next(line)
			if err != nil {
				return err
			}
			plates[i] = plate{line, s, fmt.Sprintf("%s-%08d-%04x", line, s, s*40503%65536)}
			return nil
		})
	}
	return plates, g.Wait()
}

func load(p drive.Ports) {
	drive.Load{Rate: 210, Callers: 128}.Run(func(i int) *http.Request {
		if i%12 == 0 {
			return drive.Send(http.MethodPost, p.Main(), fmt.Sprintf("/lines/L%d/batches?n=24", i/12%2), "")
		}
		return drive.Get(p.Main(), "/codes/L1-%08d-%04x", i, i%65536)
	})
}
