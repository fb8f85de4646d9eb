package registry

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/lab/faults"
)

// TestTwins: the repaired twin of a fault of cost or of the collector answers every call as the faulty program does. If
// it did less work it would prove nothing. Two programs that first fill a heap of a hundred MB are left out.
func TestTwins(t *testing.T) {
	collector := slices.DeleteFunc(memoryFaults(), func(f faults.Fault) bool {
		return !strings.HasPrefix(f.Kind, "gc-") || f.Kind == "gc-pointer-heap" || f.Kind == "gc-death-spiral"
	})
	for _, f := range slices.Concat(costFaults(), collector) {
		t.Run(f.Kind, func(t *testing.T) {
			faulty, repaired := answers(t, f.Faulty()), answers(t, f.Repaired())
			for i := range faulty {
				if faulty[i] != repaired[i] {
					t.Errorf("call %d: the faulty program answers %.200q, the repaired one %.200q", i, faulty[i],
						repaired[i])
				}
			}
		})
	}
}

// answers sends the first calls of each part of a service's load to it, one after another.
func answers(t *testing.T, s faults.Service) []string {
	ctx, cancel := context.WithCancel(t.Context())
	var background sync.WaitGroup
	if s.Background != nil {
		background.Go(func() { s.Background(ctx) })
	}
	defer background.Wait()
	defer cancel()
	var out []string
	for _, c := range s.Load {
		for i := range 3 {
			out = append(out, answer(t, s, c, i))
		}
	}
	return out
}

func answer(t *testing.T, s faults.Service, c faults.Call, i int) string {
	method, body := c.Method, io.Reader(nil)
	if method == "" {
		method = "GET"
	}
	if c.Body != nil {
		body = bytes.NewReader(c.Body(i))
	}
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, httptest.NewRequest(method, strings.ReplaceAll(c.Path, "%d", strconv.Itoa(i)), body))
	if w.Code >= 400 {
		t.Fatalf("%s %s: %d %s", method, c.Path, w.Code, w.Body)
	}
	from := io.Reader(w.Body)
	if w.Header().Get("Content-Encoding") == "gzip" {
		zr, err := gzip.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		from = zr
	}
	b, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return strconv.Itoa(w.Code) + " " + string(b)
}
