package diagnose_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
)

// TestSlowCalls: of a client whose calls are slow, timeouts and the number of idle connections come before bodies that
// are not read. One that keeps as many connections as it has calls gets no finding, however slow they are.
func TestSlowCalls(t *testing.T) {
	checkout.Need(t)
	for name, want := range map[string][]string{
		"gateway": {"See whether calls end at their timeout", "MaxIdleConnsPerHost=100"},
		"pool":    {"See whether calls end at their timeout", "MaxIdleConnsPerHost=100"},
		"kept":    nil,
	} {
		t.Run(name, func(t *testing.T) {
			in := diagnose.Input{Evidence: recordings(t, 5, "slowcalls/"+name, "*.pb.gz")}
			f, score := scoreOf(t, in, "net-no-keepalive")
			var first []string
			for _, r := range f.Remedies[:min(2, len(f.Remedies))] {
				first = append(first, r.Title)
			}
			if score > 0 != (want != nil) || !slices.Equal(first, want) {
				t.Errorf("scores %d and advises %q, want %q", score, first, want)
			}
		})
	}
}

// TestUntimedHeap: a heap profile as text beside one with a time shows no growth.
func TestUntimedHeap(t *testing.T) {
	before, after := ageProfile(time.Time{}, ageSite{100, 100}), ageProfile(readAt, ageSite{5000, 5000})
	rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{before, after}}, diagnose.Options{})
	for _, f := range rep.Findings {
		if f.Kind == "mem-leak" {
			t.Errorf("%+v", f)
		}
	}
}

const (
	tlsWrite = kernelWrite + "crypto/tls.(*Conn).write crypto/tls.(*Conn).writeRecordLocked " +
		"crypto/tls.(*Conn).Write "
	thriftPkg    = "git.example.com/apache/thrift.git/lib/go/thrift"
	thriftSocket = kernelWrite + thriftPkg + ".(*TSocket).Write "
	handler      = "main.handle net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve"
)

// TestChosenTransport: where a profile shows it, the line that chose a library's transport is the place to change.
func TestChosenTransport(t *testing.T) {
	protocol := thriftPkg + ".(*TBinaryProtocol)."
	write := map[string]int64{"main.rest main.main": 300}
	for _, field := range []string{"WriteI16 ", "WriteI32 ", "WriteByte ", "WriteString "} {
		write[thriftSocket+protocol+field+"main.store main.main"] = 150
	}
	made := "runtime.mallocgc " + thriftPkg + ".NewTSocketConf main.connect main.main"
	for _, tt := range []struct{ name, first, other string }{
		{"shown", "main.connect", made},
		{"not shown", "main.store", "main.other main.main"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ticks := map[string]int64{tt.other: 100}
			for stack, n := range write {
				ticks[stack] = n
			}
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, ticks)},
				Build: casefile.Build{Module: "example.com/app"}}
			got := findingOf(diagnose.Run(t.Context(), in, diagnose.Options{}).Findings, "io-small")
			if got == nil || got.Where[0].Function != tt.first ||
				!strings.Contains(got.Remedies[0].Text, "NewTBufferedTransport") {
				t.Errorf("%+v; want %s first, and Thrift's remedy", got, tt.first)
			}
		})
	}
}
