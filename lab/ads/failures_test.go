package ads

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// uncapped wants an answer without ads that have a cap.
func uncapped(t *testing.T, when string, status int, body string) {
	t.Helper()
	if a := decode(t, body); status != http.StatusOK || a.Degraded != "caps" {
		t.Fatalf("%s: %d %s; want 200 and that caps are not known", when, status, body)
	}
	catalogue, err := newCatalogue(testWorld().publish(1), indexNumber)
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range decode(t, body).Ads {
		for _, a := range catalogue.topics[int(shown.Ad)/maxAds] {
			if a.ID == shown.Ad && a.Cap > 0 {
				t.Errorf("%s: ad %d is shown, which has a cap", when, a.ID)
			}
		}
	}
}

func TestRedisFails(t *testing.T) {
	for _, form := range []string{"healthy", "all"} {
		t.Run(form, func(t *testing.T) {
			_, content := startContent(t)
			db := startRedis(t)
			_, addr := startDelivery(t, db.Addr, content.Listen, append(formArgs()[form], "-timeout", "100ms")...)
			well := func(when string) {
				t.Helper()
				for t.Context().Err() == nil { // the client takes a moment to give up broken connections
					if status, body := ask(t, addr, 1); status == http.StatusOK && decode(t, body).Degraded == "" {
						return
					}
				}
				t.Fatalf("%s: never well again", when)
			}
			well("at the start")
			if err := db.Freeze(); err != nil {
				t.Fatal(err)
			}
			status, body := ask(t, addr, 2)
			uncapped(t, "frozen", status, body)
			if err := db.Thaw(); err != nil {
				t.Fatal(err)
			}
			well("thawed")
			if err := db.Stop(); err != nil {
				t.Fatal(err)
			}
			status, body = ask(t, addr, 3)
			uncapped(t, "stopped", status, body)
			if _, metrics := fetch(t, "http://"+addr+"/metrics"); strings.Contains(metrics,
				"\nads_impressions_uncounted_total 0\n") {
				t.Error("stopped: ads were shown, and none of them is uncounted")
			}
			if err := db.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			well("restarted")
		})
	}
}

func TestContentFails(t *testing.T) {
	db := startRedis(t)
	content, where := startContent(t)
	_, addr := startDelivery(t, db.Addr, where.Listen, "-refresh", "20ms", "-max-stale", "1s")
	content.Stop()
	if code := <-content.Code; code != 0 {
		t.Fatalf("the content service ended with %d", code)
	}
	if status, body := ask(t, addr, 1); status != http.StatusOK {
		t.Errorf("a moment without the content service: %d %s, want the catalogue at hand to serve", status, body)
	}
	await(t, addr, "/readyz", http.StatusServiceUnavailable)
	if status, body := ask(t, addr, 2); status != http.StatusServiceUnavailable ||
		!strings.Contains(body, "no current catalogue") {
		t.Errorf("with a catalogue that is too old: %d %s, want 503 and why", status, body)
	}
	startContent(t, "-listen", where.Listen)
	await(t, addr, "/readyz", http.StatusOK)
	if status, body := ask(t, addr, 3); status != http.StatusOK {
		t.Errorf("with the content service back: %d %s", status, body)
	}
}

// TestNewCatalogue: a version that is published while the service runs is used, and its paused campaigns are not shown.
func TestNewCatalogue(t *testing.T) {
	db := startRedis(t)
	_, where := startContent(t, "-republish", "50ms")
	_, addr := startDelivery(t, db.Addr, where.Listen, "-refresh", "10ms")
	for t.Context().Err() == nil {
		if _, metrics := fetch(t, "http://"+addr+"/metrics"); !strings.Contains(metrics,
			"\nads_catalogue_version 1\n") {
			return
		}
	}
	t.Error("version 1 stays")
}

func TestReportOnFullDisk(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Fatalf("this test needs %s: %v", full, err)
	}
	db := startRedis(t)
	_, where := startContent(t)
	dir := t.TempDir()
	link, file := filepath.Join(dir, "report"), filepath.Join(dir, "file")
	if err := os.Symlink(full, link); err != nil {
		t.Fatal(err)
	}
	_, addr := startDelivery(t, db.Addr, where.Listen, "-report", link)
	for lost := false; !lost && t.Context().Err() == nil; {
		if status, body := ask(t, addr, 1); status != http.StatusOK {
			t.Fatalf("with a full disk: %d %s", status, body)
		}
		_, metrics := fetch(t, "http://"+addr+"/metrics")
		lost = !strings.Contains(metrics, "\nads_report_lost_bytes_total 0\n")
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for t.Context().Err() == nil {
		ask(t, addr, 2)
		if data, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(data), `{"time":`) {
			return
		}
	}
	t.Error("with room on the disk again, no lines come")
}

// TestRedisIsFull: a Redis that refuses to write is like one that cannot be written to. Reading goes on, and nothing
// waits.
func TestRedisIsFull(t *testing.T) {
	for _, form := range []string{"healthy", "all"} {
		t.Run(form, func(t *testing.T) {
			_, content := startContent(t)
			db := startRedis(t)
			client := redis.NewClient(&redis.Options{Addr: db.Addr})
			defer client.Close()
			_, addr := startDelivery(t, db.Addr, content.Listen, formArgs()[form]...)
			if err := client.ConfigSet(t.Context(), "maxmemory", "1").Err(); err != nil {
				t.Fatal(err)
			}
			for i := range uint64(200) {
				if status, body := ask(t, addr, i); status != http.StatusOK || decode(t, body).Degraded != "" {
					t.Fatalf("request %d: %d %s; want 200 with all that caps allow", i, status, body)
				}
			}
			if _, metrics := fetch(t, "http://"+addr+"/metrics"); strings.Contains(metrics,
				"\nads_impressions_uncounted_total 0\n") {
				t.Error("ads were shown, and none of them is uncounted")
			}
			if err := client.ConfigSet(t.Context(), "maxmemory", "256mb").Err(); err != nil {
				t.Fatal(err)
			}
			ask(t, addr, 1)
			if n, err := client.DBSize(t.Context()).Result(); err != nil || n == 0 {
				t.Errorf("with room again: %d counters, %v; want some", n, err)
			}
		})
	}
}
