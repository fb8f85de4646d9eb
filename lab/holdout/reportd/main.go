// Reportd makes a monthly report: orders are drawn up, sorted, printed as CSV and sealed with a checksum.
package main

import (
	"cmp"
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"slices"
	"strconv"
	"time"
)

type Order struct {
	No     int
	Client string
	Amount int
}

// A Step is one stage of a report.
type Step func(*Report)

type Report struct {
	Month  uint64
	Orders []Order
	Text   string
	Seal   [32]byte
}

func draw(r *Report) {
	rnd := rand.New(rand.NewPCG(r.Month, 7))
	r.Orders = make([]Order, 24000)
	for i := range r.Orders {
		r.Orders[i] = Order{i, "client-" + strconv.Itoa(rnd.IntN(500)), rnd.IntN(100_000)}
	}
}

func arrange(r *Report) {
	slices.SortFunc(r.Orders, func(a, b Order) int {
		return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.Amount, b.Amount))
	})
}

func total(r *Report) {
	sums := map[string]int{}
	for _, o := range r.Orders {
		sums[o.Client] += o.Amount
	}
	head := ""
	for _, c := range slices.Sorted(mapKeys(sums)) {
		head += c + ": " + strconv.Itoa(sums[c]) + "\n"
	}
	r.Text = head
}

func mapKeys(m map[string]int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func print(r *Report) {
	for page := range slices.Chunk(r.Orders, 400) {
		text := ""
		for _, o := range page {
			text += strconv.Itoa(o.No) + ";" + o.Client + ";" + strconv.Itoa(o.Amount) + "\r\n"
		}
		r.seal(text)
	}
}

func (r *Report) seal(page string) {
	h := sha256.New()
	h.Write(r.Seal[:])
	for range 12 {
		h.Write([]byte(page))
	}
	h.Sum(r.Seal[:0])
}

func load(base string) {
	for i := 0; ; i++ {
		if res, err := http.Get(base + "/report?month=" + strconv.Itoa(i%12)); err == nil {
			res.Body.Close()
		}
		time.Sleep(40 * time.Millisecond)
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	steps := []Step{draw, arrange, total, print}
	http.HandleFunc("/report", func(w http.ResponseWriter, r *http.Request) {
		m, _ := strconv.ParseUint(r.FormValue("month"), 10, 8)
		rep := Report{Month: m}
		for _, s := range steps {
			s(&rep)
		}
		fmt.Fprintf(w, "%s%x\n", rep.Text, rep.Seal)
	})
	log.Fatal(http.ListenAndServe(addr, nil))
}
