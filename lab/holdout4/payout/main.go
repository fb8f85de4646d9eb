// Payout gives partners the list of what they were paid in a month, compressed.
package main

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strconv"
	"time"

	"github.com/gorilla/mux"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

// ledger is the payments of each month, in their order.
type ledger struct{ months [][]Payment }

func (l *ledger) month(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(mux.Vars(r)["month"])
	if err != nil || n < 0 || n >= len(l.months) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Encoding", "gzip")
	if err := export(w, l.months[n]); err != nil {
		slog.Warn("export ended early", "month", n, "err", err)
	}
}

func (l *ledger) summary(w http.ResponseWriter, r *http.Request) {
	for i, m := range l.months {
		var sum int64
		for k := range m {
			sum += m[k].Cents
		}
		fmt.Fprintf(w, "%d %d %d\n", i, len(m), sum)
	}
}

func fill() *ledger {
	rnd := rand.New(rand.NewPCG(1, 9))
	l := &ledger{}
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for m := range 12 {
		var list []Payment
		for i := range 5000 + m*300 {
			at = at.Add(time.Duration(rnd.IntN(300)) * time.Second)
			list = append(list, Payment{int64(m*100000 + i), at, fmt.Sprintf("Partner %d", rnd.IntN(900)),
				fmt.Sprintf("Commission %x", rnd.Uint64()), rnd.Int64N(90000)})
		}
		l.months = append(l.months, list)
	}
	return l
}

func main() {
	p := drive.Flags()
	if p.Load {
		drive.HTTP(16, func(i int) *http.Request {
			if i%10 == 9 {
				return drive.Get(p.Main(), "/summary")
			}
			req := drive.Get(p.Main(), "/months/%d.csv", i%12)
			req.Header.Set("Accept-Encoding", "gzip") // and so the client does not decompress
			return req
		})
	}
	l := fill()
	r := mux.NewRouter()
	r.HandleFunc("/months/{month:[0-9]+}.csv", l.month).Methods(http.MethodGet)
	r.HandleFunc("/summary", l.summary)
	r.PathPrefix("/debug/pprof/").Handler(http.DefaultServeMux)
	if err := http.ListenAndServe(p.Main(), r); err != nil {
		slog.Error("serving", "err", err)
		os.Exit(1)
	}
}
