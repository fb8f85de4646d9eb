// Statement exports account statements as CSV and as fixed-width text for printing.
package main

import (
	"bufio"
	"fmt"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/mux"
	"github.com/sirupsen/logrus"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Booking struct {
	At      time.Time
	Text    string
	Partner string
	Cents   int64
}

type Account struct {
	IBAN     string
	Opening  int64
	Bookings []Booking
}

func money(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return sign + strconv.FormatInt(cents/100, 10) + "," + fmt.Sprintf("%02d", cents%100)
}

func quote(s string) string {
	if strings.ContainsAny(s, ";\"\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// CSV is the statement for spreadsheets.
func (a *Account) CSV() string {
	out := "date;text;partner;amount;balance\n"
	balance := a.Opening
	for _, b := range a.Bookings {
		balance += b.Cents
		out += b.At.Format("02.01.2006") + ";" + quote(b.Text) + ";" + quote(b.Partner) + ";" + money(b.Cents) + ";" +
			money(balance) + "\n"
	}
	return out
}

// Print writes the statement in pages of 60 lines.
func (a *Account) Print(w *bufio.Writer) error {
	balance := a.Opening
	for i, b := range a.Bookings {
		if i%60 == 0 {
			fmt.Fprintf(w, "\f%-40s page %3d\n%s\n", a.IBAN, i/60+1, strings.Repeat("=", 92))
		}
		balance += b.Cents
		fmt.Fprintf(w, "%s  %-36.36s %-20.20s %12s %14s\n", b.At.Format("02.01."), b.Text, b.Partner, money(b.Cents),
			money(balance))
	}
	return w.Flush()
}

type Bank map[string]*Account

func (b Bank) find(w http.ResponseWriter, r *http.Request) *Account {
	a := b[mux.Vars(r)["iban"]]
	if a == nil {
		http.NotFound(w, r)
	}
	return a
}

func (b Bank) csv(w http.ResponseWriter, r *http.Request) {
	if a := b.find(w, r); a != nil {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		w.Write([]byte(a.CSV()))
	}
}

func (b Bank) print(w http.ResponseWriter, r *http.Request) {
	if a := b.find(w, r); a != nil {
		if err := a.Print(bufio.NewWriterSize(w, 32<<10)); err != nil {
			logrus.WithError(err).Warn("printing")
		}
	}
}

func example(n int) *Account {
	a := &Account{IBAN: fmt.Sprintf("NL%02dBANK%010d", n%97, n), Opening: 125000}
	at := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	for i := range 1100 {
		a.Bookings = append(a.Bookings, Booking{at.Add(time.Duration(i) * 5 * time.Hour),
			fmt.Sprintf("Invoice %d; thank you", i*n), fmt.Sprintf("Partner %d", i%70), int64(i*37%9000 - 4000)})
	}
	return a
}

func load(p drive.Ports) {
	drive.HTTP(28, func(i int) *http.Request {
		n := i % 40
		form := "csv"
		if i%2 == 0 {
			form = "print"
		}
		return drive.Get(p.Main(), "/accounts/NL%02dBANK%010d/%s", n%97, n, form)
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	bank := make(Bank)
	for n := range 40 {
		a := example(n)
		bank[a.IBAN] = a
	}
	r := mux.NewRouter()
	r.HandleFunc("/accounts/{iban}/csv", bank.csv).Methods(http.MethodGet)
	r.HandleFunc("/accounts/{iban}/print", bank.print).Methods(http.MethodGet)
	r.PathPrefix("/debug/pprof/").Handler(http.DefaultServeMux)
	logrus.Fatal(http.ListenAndServe(p.Main(), r))
}
