// Invoices computes invoices in decimals and sends them as gzipped text, page by page.
package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"log/slog"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strconv"
	"sync"
	"text/template"
	"time"

	"github.com/gorilla/mux"
	"github.com/shopspring/decimal"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Line struct {
	Text     string
	Quantity decimal.Decimal
	Price    decimal.Decimal
	Net      decimal.Decimal
	VAT      decimal.Decimal
}

type Invoice struct {
	Number    int
	Customer  string
	Date      time.Time
	Lines     []Line
	Net, VAT  decimal.Decimal
	Gross     decimal.Decimal
	Discount  decimal.Decimal
	Reference string
}

// cent is the places that sums are rounded to.
const cent = 2

var (
	vat  = decimal.RequireFromString("0.19")
	page = template.Must(template.New("invoice").Funcs(template.FuncMap{
		"money": func(d decimal.Decimal) string { return d.StringFixedBank(cent) },
	}).Parse(`Invoice {{.Number}}   {{.Date.Format "2006-01-02"}}
{{.Customer}}   {{.Reference}}
{{range $i, $l := .Lines}}{{printf "%3d %-28s %6s x %9s %11s" $i $l.Text $l.Quantity (money $l.Price) (money $l.Net)}}
{{end}}Net {{money .Net}}  VAT {{money .VAT}}  Total {{money .Gross}}
`))
)

// Compute fills in the sums: each line is rounded, as the law has it.
func (v *Invoice) Compute() {
	keep := decimal.NewFromInt(1).Sub(v.Discount)
	for i := range v.Lines {
		l := &v.Lines[i]
		l.Net = l.Quantity.Mul(l.Price).Mul(keep).RoundBank(cent)
		l.VAT = l.Net.Mul(vat).RoundBank(cent)
		v.Net, v.VAT = v.Net.Add(l.Net), v.VAT.Add(l.VAT)
	}
	v.Gross = v.Net.Add(v.VAT)
}

func example(number, lines int) *Invoice {
	v := &Invoice{Number: number, Customer: "Bakery " + strconv.Itoa(number%60), Date: time.Now(),
		Discount: decimal.New(int64(number%12), -2), Reference: fmt.Sprintf("PO-%06d", number)}
	for i := range lines {
		v.Lines = append(v.Lines, Line{Text: "Flour type " + strconv.Itoa(400+i),
			Quantity: decimal.New(int64(5+i*number%400), -1), Price: decimal.New(int64(99+i*13), -2)})
	}
	return v
}

// A sheet is what a reply is written through.
type sheet struct {
	zip *gzip.Writer
	buf *bufio.Writer
}

var sheets = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails for unknown levels
	return &sheet{z, bufio.NewWriterSize(z, 16<<10)}
}}

func batch(w http.ResponseWriter, r *http.Request) {
	first, err := strconv.Atoi(mux.Vars(r)["first"])
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Encoding", "gzip")
	s := sheets.Get().(*sheet)
	defer sheets.Put(s)
	s.zip.Reset(w)
	s.buf.Reset(s.zip)
	for n := first; n < first+10; n++ {
		v := example(n, 25)
		v.Compute()
		if err := page.Execute(s.buf, v); err != nil {
			slog.Warn("invoice", "number", n, "error", err)
			return
		}
	}
	if err := s.buf.Flush(); err != nil {
		slog.Warn("sending", "error", err)
		return
	}
	s.zip.Close()
}

func load(p drive.Ports) {
	drive.HTTP(160, func(i int) *http.Request { return drive.Get(p.Main(), "/batches/%d", i*10%5000) })
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	r := mux.NewRouter()
	r.HandleFunc("/batches/{first:[0-9]+}", batch)
	r.PathPrefix("/debug/pprof/").Handler(http.DefaultServeMux)
	slog.Error("ended", "error", http.ListenAndServe(p.Main(), r))
	os.Exit(1)
}
