package ads

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
)

// formArgs are the flags of the healthy service and of each of its sick forms, all of them at once last.
func formArgs() map[string][]string {
	forms := map[string][]string{"healthy": nil}
	var c Config
	var all []string
	for _, o := range c.choices() {
		for _, word := range o.words[1:] {
			forms[o.name+"="+word] = []string{"-" + o.name, word}
			all = append(all, "-"+o.name, word)
		}
	}
	forms["all"] = all
	return forms
}

// TestFormsAnswerAlike sends the same requests to every form, each on an empty Redis, and wants the same bytes, the
// same counters and nothing uncounted.
func TestFormsAnswerAlike(t *testing.T) {
	_, content := startContent(t)
	db := startRedis(t)
	client := redis.NewClient(&redis.Options{Addr: db.Addr})
	defer client.Close()
	want := ""
	for _, name := range append([]string{"healthy"}, sick()...) {
		t.Run(name, func(t *testing.T) {
			if err := client.FlushAll(t.Context()).Err(); err != nil {
				t.Fatal(err)
			}
			_, addr := startDelivery(t, db.Addr, content.Listen, formArgs()[name]...)
			got := converse(t, addr) + counters(t, client)
			if _, metrics := fetch(t, "http://"+addr+"/metrics"); !strings.Contains(metrics,
				"\nads_impressions_uncounted_total 0\n") {
				t.Error("impressions are uncounted")
			}
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%d bytes of answers and counters differ from the healthy form's %d", len(got), len(want))
			}
		})
	}
}

func sick() []string {
	var names []string
	for name := range formArgs() {
		if name != "healthy" {
			names = append(names, name)
		}
	}
	return names
}

// converse asks for many pages with few users among them, so that caps are reached.
func converse(t *testing.T, addr string) string {
	t.Helper()
	var all strings.Builder
	ads := 0
	for i := range uint64(120) {
		status, body := ask(t, addr, i)
		if status != http.StatusOK {
			t.Fatalf("request %d: %d %s", i, status, body)
		}
		ads += len(decode(t, body).Ads)
		all.WriteString(body)
	}
	if ads < 300 {
		t.Fatalf("120 requests got %d ads, want 300 and more: the test shows little", ads)
	}
	return all.String()
}

// counters lists all counters, and whether each expires.
func counters(t *testing.T, client *redis.Client) string {
	t.Helper()
	keys, err := client.Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for _, k := range keys {
		n, err := client.Get(t.Context(), k).Result()
		if err != nil {
			t.Fatal(err)
		}
		ttl, err := client.TTL(t.Context(), k).Result()
		if err != nil {
			t.Fatal(err)
		}
		lines[k] = fmt.Sprintf("%s ends=%v", n, ttl > 0)
	}
	return fmt.Sprint(lines) // in the order of the keys
}

// TestManyAtOnce: the forms count every impression when requests arrive together, which is when batches have more than
// one.
func TestManyAtOnce(t *testing.T) {
	_, content := startContent(t)
	db := startRedis(t)
	client := redis.NewClient(&redis.Options{Addr: db.Addr})
	defer client.Close()
	for _, name := range []string{"healthy", "all"} {
		t.Run(name, func(t *testing.T) {
			if err := client.FlushAll(t.Context()).Err(); err != nil {
				t.Fatal(err)
			}
			_, addr := startDelivery(t, db.Addr, content.Listen, formArgs()[name]...)
			if shown, counted := together(t, addr), sum(t, client); shown != counted || shown == 0 {
				t.Errorf("%d ads were shown and %d counted", shown, counted)
			}
		})
	}
}

// together sends requests from eight goroutines and counts the ads in their answers.
func together(t *testing.T, addr string) int {
	t.Helper()
	shown := make([]int, 8)
	var wg sync.WaitGroup
	for g := range shown {
		wg.Go(func() {
			for i := range uint64(15) {
				if status, body := ask(t, addr, uint64(g)*1000+i); status == http.StatusOK {
					shown[g] += strings.Count(body, `"slot":`)
				}
			}
		})
	}
	wg.Wait()
	n := 0
	for _, s := range shown {
		n += s
	}
	return n
}

func sum(t *testing.T, client *redis.Client) int {
	t.Helper()
	keys, err := client.Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, k := range keys {
		v, err := client.Get(t.Context(), k).Int()
		if err != nil {
			t.Fatal(err)
		}
		n += v
	}
	return n
}
