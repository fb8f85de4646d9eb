package middleware

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gocasebook/casebook/internal/race"
)

// null is a server's writer that does nothing, with the abilities of HTTP/1.
type null struct{ h http.Header }

func (n null) Header() http.Header         { return n.h }
func (n null) Write(b []byte) (int, error) { return len(b), nil }
func (n null) WriteHeader(int)             {}
func (n null) Flush()                      {}

func handlers() (bare, measured http.Handler) {
	bare = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(nil) })
	return bare, New().Handler(bare)
}

// BenchmarkHandler is what a request costs beyond its own work; run it with -cpu 1,2. The difference is ours.
func BenchmarkHandler(b *testing.B) {
	bare, measured := handlers()
	for _, c := range []struct {
		name string
		h    http.Handler
	}{{"bare", bare}, {"measured", measured}} {
		b.Run("handler="+c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				w, r := &null{make(http.Header)}, httptest.NewRequest(http.MethodGet, "/", nil)
				for pb.Next() {
					c.h.ServeHTTP(w, r)
				}
			})
		})
	}
}

// BenchmarkRead is what a sample costs, by the number of requests in flight.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{0, 1_000, 100_000} {
		b.Run(fmt.Sprintf("inflight=%d", n), func(b *testing.B) {
			m := New()
			for range n {
				m.inflight.take().Store(1) // since the epoch: all are older than an interval
			}
			s := m.Source()
			values := make([]float64, numValues)
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Read(b.Context(), values); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("under the race detector sync.Pool drops objects at random")
	}
	_, h := handlers()
	w, r := &null{make(http.Header)}, httptest.NewRequest(http.MethodGet, "/", nil)
	if n := testing.AllocsPerRun(1000, func() { h.ServeHTTP(w, r) }); n != 0 {
		t.Errorf("a request allocates %g times", n)
	}
	s := New().Source()
	values := make([]float64, numValues)
	if n := testing.AllocsPerRun(100, func() { _ = s.Read(t.Context(), values) }); n != 0 {
		t.Errorf("a reading allocates %g times", n)
	}
}
