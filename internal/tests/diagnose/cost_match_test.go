package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestNeighbours: real functions whose names begin as an entry does, and that do something else with another remedy.
func TestNeighbours(t *testing.T) {
	for _, tt := range []struct{ stack, not, of, why string }{ // of is the entry that must be found
		{"golang.org/x/text/language.ParseAcceptLanguage main.page main.main", "alloc-loop-invariant",
			"golang.org/x/text/language.Parse", "it takes the request's header"},
		{"crypto/x509.ParseCertificateRequest main.sign main.main", "alloc-loop-invariant",
			"crypto/x509.ParseCertificate", "each request has its own"},
		{"syscall.Readlink main.resolve main.main", "io-small", "syscall.Read", "a link is not read in pieces"},
		{"golang.org/x/sys/unix.Readlinkat main.resolve main.main", "io-small", "golang.org/x/sys/unix.Read",
			"a link is not read in pieces"},
		{"golang.org/x/sys/unix.ReadDirent main.list main.main", "io-small", "golang.org/x/sys/unix.Read",
			"a directory is not read in pieces"},
		{"os.(*File).ReadDir main.list main.main", "io-small", "os.(*File).Read", "a directory is not read in pieces"},
		{"os.OpenFile main.store main.main", "io-reread", "os.Open", "it creates files as well"},
		{"os.OpenInRoot main.store main.main", "io-reread", "os.Open", "it is asked for what the request names"},
		{"github.com/samber/lo.FindUniques[...] main.clean main.main", "cpu-linear-search",
			"github.com/samber/lo.Find[...]", "it counts in a map"},
		{"reflect.(*rtype).FieldAlign main.lay main.main", "reflect-per-call", "reflect.(*rtype).Field",
			"it looks nothing up"},
		{"time.LoadLocationFromTZData main.zone main.main", "alloc-loop-invariant",
			"time.LoadLocation", "its data is the caller's"},
	} {
		isKind := func(f casefile.Finding) bool { return f.Kind == tt.not }
		if slices.ContainsFunc(costOf(t, tt.stack), isKind) {
			t.Errorf("%s: %s, and %s", tt.stack, tt.not, tt.why)
		}
		_, below, _ := strings.Cut(tt.stack, " ")
		if !slices.ContainsFunc(costOf(t, tt.of+" "+below), isKind) {
			t.Errorf("%s is no %s", tt.of, tt.not)
		}
	}
}
