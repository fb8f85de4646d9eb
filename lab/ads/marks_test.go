package ads

import (
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// TestMarks: both forms note the same marks in Redis, which end, and none is lost when the service stops at once.
func TestMarks(t *testing.T) {
	_, content := startContent(t)
	db := startRedis(t)
	client := redis.NewClient(&redis.Options{Addr: db.Addr})
	defer client.Close()
	var want []string
	for _, form := range marksForms() {
		t.Run(form, func(t *testing.T) {
			if err := client.FlushAll(t.Context()).Err(); err != nil {
				t.Fatal(err)
			}
			p, addr := startDelivery(t, db.Addr, content.Listen, "-marks", "10", "-marks-by", form)
			converse(t, addr)
			p.Stop()
			if code := <-p.Code; code != 0 {
				t.Fatalf("exit code %d, stderr:\n%s", code, p.Stderr)
			}
			got := markKeys(t, client)
			if want == nil {
				want = got
			}
			if len(got) < 100 || !slices.Equal(got, want) {
				t.Errorf("%d marks, want 100 or more, and the %d of the first form", len(got), len(want))
			}
		})
	}
}

func markKeys(t *testing.T, client *redis.Client) []string {
	t.Helper()
	keys, err := client.Keys(t.Context(), "considered:*").Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		if ttl, err := client.TTL(t.Context(), k).Result(); err != nil || ttl <= 0 || ttl > keep {
			t.Fatalf("%s ends in %v (%v), want within %v", k, ttl, err, keep)
		}
	}
	slices.Sort(keys)
	return keys
}

// TestMarksLost: marks that Redis does not take are counted, and no request waits for them.
func TestMarksLost(t *testing.T) {
	_, content := startContent(t)
	for _, form := range marksForms() {
		t.Run(form, func(t *testing.T) {
			db := startRedis(t)
			_, addr := startDelivery(t, db.Addr, content.Listen, "-marks", "10", "-marks-by", form, "-timeout", "50ms")
			if err := db.Stop(); err != nil {
				t.Fatal(err)
			}
			ask(t, addr, 1)
			var lost string
			for t.Context().Err() == nil && !strings.Contains(lost, "\nads_marks_lost_total 10\n") {
				_, lost = fetch(t, "http://"+addr+"/metrics")
			}
		})
	}
}
