package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

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
