package rule

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/vitals"
)

func queueCatalog(t *testing.T) *vitals.Catalog {
	t.Helper()
	c, err := vitals.NewCatalog(vitals.Signal{Name: "queue_age", Unit: vitals.Seconds},
		vitals.Signal{Name: "queue_max", Unit: vitals.Seconds})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNearNames(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"cpus", "near it: cpu"},
		{"goroutine", "near it: goroutines"},
		{"heap", "near it: off_heap, heap_live, heap_goal, heap_alloc, heap_objects"},
		{"queue_age_seconds", "near it: queue_age"},
		{"mem_limit", "memory_limit"},
		{"xyzzy", "known: cpu, cpu_share,"},
		{"", "known: cpu, cpu_share,"},
		{strings.Repeat("x", 10_000), "…"},
	} {
		if got := unknownSignal(c.name, queueCatalog(t)); !strings.Contains(got, c.want) || len(got) > 2000 {
			t.Errorf("%q, want %q in it", got, c.want)
		}
	}
}
