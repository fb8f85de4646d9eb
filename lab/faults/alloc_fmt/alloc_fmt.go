// Package alloc_fmt writes a ledger of account movements as text.
//
// The fault: each line is put together with fmt.Sprintf.
package alloc_fmt

import (
	"bufio"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Ledger is a list of movements.
type Ledger struct {
	movements []movement
	format    func(w *bufio.Writer, m *movement)
	writers   sync.Pool
}

type movement struct {
	account string
	cents   int64
	day     int
	note    string
}

func newLedger(n int) *Ledger {
	l := &Ledger{writers: sync.Pool{New: func() any { return bufio.NewWriter(nil) }}}
	for i := range n {
		l.movements = append(l.movements, movement{"DE-" + strconv.Itoa(i%50), int64(i * 37 % 99_999), i % 365,
			"invoice"})
	}
	return l
}

// ServeHTTP writes the ledger.
func (l *Ledger) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	b := l.writers.Get().(*bufio.Writer)
	defer l.writers.Put(b)
	b.Reset(w)
	for i := range l.movements {
		l.format(b, &l.movements[i])
	}
	b.Flush()
}

// line formats a movement with package fmt.
func (l *Ledger) line(w *bufio.Writer, m *movement) {
	w.WriteString(fmt.Sprintf("%-8s %10.2f EUR day %03d %s\n", m.account, float64(m.cents)/100, m.day, m.note))
}

// parts appends a movement's parts to the writer's own buffer.
func (l *Ledger) parts(w *bufio.Writer, m *movement) {
	b := append(w.AvailableBuffer(), m.account...)
	b = pad(b, ' ', 8-len(m.account))
	euros := m.cents / 100
	b = pad(b, ' ', 1+7-digits(euros))
	b = strconv.AppendInt(b, euros, 10)
	b = append(b, '.', byte('0'+m.cents/10%10), byte('0'+m.cents%10))
	b = append(b, " EUR day "...)
	b = pad(b, '0', 3-digits(int64(m.day)))
	b = strconv.AppendInt(b, int64(m.day), 10)
	b = append(b, ' ')
	b = append(append(b, m.note...), '\n')
	w.Write(b)
}

func pad(b []byte, with byte, n int) []byte {
	for range n {
		b = append(b, with)
	}
	return b
}

// digits is how many digits a number has that is not negative.
func digits(n int64) int {
	d := 1
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

func service(n int, perSecond float64, repaired bool) faults.Service {
	l := newLedger(n)
	l.format = l.line
	if repaired {
		l.format = l.parts
	}
	return faults.Service{Handler: l, Load: []faults.Call{{Path: "/ledger", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-fmt", Text: "a ledger's lines are put together with fmt.Sprintf",
		Culprit:  "alloc_fmt.(*Ledger).line",
		Faulty:   func() faults.Service { return service(1000, 700, false) },
		Repaired: func() faults.Service { return service(1000, 700, true) },
		Limit:    func() faults.Service { return service(100, 700, false) },
	}
}
