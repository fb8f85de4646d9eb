package kube

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/kube/kubetest"
	"github.com/gocasebook/casebook/internal/leaktest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "app/kube.")) }

// patience is how long a busy machine may take for what takes milliseconds.
const patience = 2 * time.Minute

// clusterOf is a stand-in as a service account sees it: with a file of the token.
func clusterOf(t *testing.T, s *kubetest.Server) Cluster {
	t.Helper()
	dir := t.TempDir()
	ca, err := os.ReadFile(s.CA(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"token": kubetest.Token + "\n", "ca.crt": string(ca), "namespace": "shop"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := fromAccount(s.URL, dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func clientOf(t *testing.T, s *kubetest.Server) *Client {
	c := NewClient(clusterOf(t, s), "a test")
	t.Cleanup(c.Close)
	return c
}

// mirrorOf runs a mirror of the names of pods until the test ends.
func mirrorOf(t *testing.T, cfg MirrorConfig[string]) *Mirror[string] {
	t.Helper()
	cfg.Keep = func(p *Pod) (string, bool) { return p.Metadata.Name, p.lives() }
	cfg.pause = 2 * time.Millisecond
	m := NewMirror(cfg)
	kubetest.Background(t, m.Run)
	return m
}

// await waits until a mirror keeps names.
func await(t *testing.T, m *Mirror[string], names ...string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		kept, err := m.Kept()
		slices.Sort(kept)
		if slices.Equal(kept, names) && m.Listed() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("kept %v, %v; want %v", kept, err, names)
		}
	}
}

func pod(name string) kubetest.Object { return kubetest.Pod("shop", name, "10.1.0.1", nil, 6060) }

func ended(name string) kubetest.Object {
	p := pod(name)
	p["status"].(kubetest.Object)["phase"] = "Succeeded"
	return p
}

// Pods are listed, and then come, change and go.
func TestMirror(t *testing.T) {
	s := kubetest.New(t)
	s.Put(pod("a"))
	s.Put(ended("old"))
	m := mirrorOf(t, MirrorConfig[string]{Client: clientOf(t, s)})
	await(t, m, "a")
	s.Put(pod("b"))
	await(t, m, "a", "b")
	terminating := pod("a")
	terminating["metadata"].(kubetest.Object)["deletionTimestamp"] = "2026-11-28T09:00:00Z"
	s.Put(terminating)
	await(t, m, "b")
	s.Delete("shop/a")
	s.Delete("shop/b")
	await(t, m)
	for _, r := range s.Requests() {
		if r.Path != "/api/v1/pods" || !strings.HasPrefix(r.Header.Get("User-Agent"), "a test") ||
			r.Header.Get("Accept") != "application/json" {
			t.Errorf("asked for %s as %v", r.Path, r.Header)
		}
	}
}

// A list of several pages is one, and a namespace and a selector narrow it.
func TestPages(t *testing.T) {
	s := kubetest.New(t)
	var want []string
	for i := range 2*pageSize + 7 {
		name := fmt.Sprintf("p%05d", i)
		s.Put(pod(name))
		want = append(want, name)
	}
	s.Put(kubetest.Pod("other", "x", "10.1.0.2", nil, 6060))
	await(t, mirrorOf(t, MirrorConfig[string]{Client: clientOf(t, s), Namespace: "shop"}), want...)
	if n := len(s.Requests()); n < 3 {
		t.Errorf("%d requests; want three pages", n)
	}
	await(t, mirrorOf(t, MirrorConfig[string]{Client: clientOf(t, s), Namespace: "shop", Selector: "app=p00042"}),
		"p00042")
}

// Versions that are forgotten lead to another list: before the watch, in the watch, and between two pages.
func TestGone(t *testing.T) {
	s := kubetest.New(t)
	s.Put(pod("a"))
	s.Fail("watch=1", func(w http.ResponseWriter) { kubetest.Refuse(w, http.StatusGone, "Expired", "too old") })
	m := mirrorOf(t, MirrorConfig[string]{Client: clientOf(t, s)})
	await(t, m, "a")
	s.Put(pod("b"))
	await(t, m, "a", "b")
	before := m.Stats().Lists
	s.Forget()
	s.Delete("shop/a") // wakes the watch, which hears that its version is gone
	await(t, m, "b")
	if n := m.Stats().Lists; n <= before {
		t.Errorf("%d lists, and %d before versions were forgotten", n, before)
	}
}

func TestGoneBetweenPages(t *testing.T) {
	s := kubetest.New(t)
	var want []string
	for i := range pageSize + 1 {
		want = append(want, fmt.Sprintf("p%05d", i))
		s.Put(pod(want[i]))
	}
	s.Fail("continue=", func(w http.ResponseWriter) { kubetest.Refuse(w, http.StatusGone, "Expired", "too old") })
	await(t, mirrorOf(t, MirrorConfig[string]{Client: clientOf(t, s)}), want...)
}

// A watch that breaks is begun again from the last version, which a bookmark moves on; nothing is listed again.
func TestBrokenWatches(t *testing.T) {
	s := kubetest.New(t)
	s.Put(pod("a"))
	cut := func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, `{"type":"ADDED","object":{"metadata":{"name":"half","namesp`)
	}
	s.Fail("watch=1", cut)
	s.Fail("watch=1", func(http.ResponseWriter) {})                                              // ends at once
	s.Fail("watch=1", func(w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) }) // and is refused
	m := mirrorOf(t, MirrorConfig[string]{Client: clientOf(t, s)})
	await(t, m, "a")
	s.Bookmark()
	s.Put(pod("b"))
	await(t, m, "a", "b")
	s.CloseClientConnections()
	s.Put(pod("c"))
	await(t, m, "a", "b", "c")
	if st := m.Stats(); st.Lists != 1 || st.Watches < 4 {
		t.Errorf("%+v; want one list and several watches", st)
	}
	var last string
	for _, r := range s.Requests() {
		if r.Query.Get("watch") == "1" {
			last = r.Query.Get("resourceVersion")
			if r.Query.Get("allowWatchBookmarks") != "true" || r.Query.Get("timeoutSeconds") == "" {
				t.Errorf("watched with %v", r.Query)
			}
		}
	}
	if last < "103" {
		t.Errorf("the last watch was from version %s; want that of the bookmark or a later one", last)
	}
}

// What is kept stays while the API server refuses, and the error says what to do.
func TestRefused(t *testing.T) {
	s := kubetest.New(t)
	refuse := func(w http.ResponseWriter) {
		kubetest.Refuse(w, http.StatusForbidden, "Forbidden", `pods is forbidden: User "system:serviceaccount:casebook:casebook" `+
			`cannot list resource "pods" in API group "" at the cluster scope`)
	}
	for range 3 {
		s.Fail("/pods?", refuse)
	}
	s.Put(pod("a"))
	c := clientOf(t, s)
	_, err := c.list(t.Context(), scope{}, func(*Pod) {})
	if err == nil || !strings.Contains(err.Error(), `cannot list resource "pods"`) ||
		!strings.Contains(err.Error(), "docs/kubernetes.md") {
		t.Errorf("the error is %v", err)
	}
	m := mirrorOf(t, MirrorConfig[string]{Client: c})
	await(t, m, "a")
	s.Forget()
	for range 3 {
		s.Fail("/pods?", refuse)
	}
	s.Bookmark()
	s.Put(pod("b"))
	await(t, m, "a", "b")
}

// A token that is replaced is read again, and one that is not accepted is said so.
func TestRotatedToken(t *testing.T) {
	s := kubetest.New(t)
	cluster := clusterOf(t, s)
	c := NewClient(cluster, "a test")
	t.Cleanup(c.Close)
	s.Rotate("another")
	if _, err := c.list(t.Context(), scope{}, func(*Pod) {}); err == nil || !strings.Contains(err.Error(), "not accepted") ||
		strings.Contains(err.Error(), kubetest.Token) {
		t.Errorf("with the old token: %v", err)
	}
	if err := os.WriteFile(cluster.TokenFile, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.list(t.Context(), scope{}, func(*Pod) {}); err != nil {
		t.Errorf("with the new token: %v", err)
	}
}

// A server whose certificate is another's gets no token, nor does one that is pointed to.
func TestTokenStays(t *testing.T) {
	s, other := kubetest.New(t), kubetest.New(t)
	s.Fail("/pods?", func(w http.ResponseWriter) {
		w.Header().Set("Location", other.URL+"/api/v1/pods")
		w.WriteHeader(http.StatusFound)
	})
	_, err := clientOf(t, s).list(t.Context(), scope{}, func(*Pod) {})
	if err == nil || !strings.Contains(err.Error(), "no other place is asked") {
		t.Errorf("the redirect: %v", err)
	}
	cluster := clusterOf(t, s)
	cluster.TLS = &tls.Config{MinVersion: tls.VersionTLS12} // the system's certificates
	c := NewClient(cluster, "a test")
	t.Cleanup(c.Close)
	if _, err := c.list(t.Context(), scope{}, func(*Pod) {}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate that nobody signed: %v", err)
	}
	if n := len(other.Requests()); n != 0 {
		t.Errorf("the other server got %d requests", n)
	}
}

// Answers of something else than an API server are errors, not empty clusters.
func TestNotKubernetes(t *testing.T) {
	for _, body := range []string{"", "<html>", "{}", "[]", `{"items":[]}`, `{"items":3,"metadata":{"resourceVersion":"1"}}`,
		`{"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a"`, `"x"`, `{"items":null`} {
		s := kubetest.New(t)
		s.Fail("/pods?", func(w http.ResponseWriter) { _, _ = io.WriteString(w, body) })
		if v, err := clientOf(t, s).list(t.Context(), scope{}, func(*Pod) {}); err == nil {
			t.Errorf("%q is a list of version %q", body, v)
		}
	}
}

func TestBackoff(t *testing.T) {
	b := backoff{first: time.Second, most: 30 * time.Second}
	for i, most := range []time.Duration{1, 2, 4, 8, 16, 30, 30, 30} {
		if got := b.next(errors.New("away")); got < most*time.Second/2 || got > most*time.Second {
			t.Errorf("try %d waits %s; want between half of %d s and all", i, got, most)
		}
	}
	if got := b.next(&StatusError{After: time.Minute}); got != time.Minute {
		t.Errorf("a server that asks for a minute is asked again after %s", got)
	}
	if got := b.next(&StatusError{After: 24 * time.Hour}); got != 5*time.Minute {
		t.Errorf("a server that asks for a day is asked again after %s", got)
	}
	b.tries = 1 << 20
	if got := b.next(nil); got > 30*time.Second || got <= 0 {
		t.Errorf("after a million tries it waits %s", got)
	}
	b.reset()
	if got := b.next(nil); got > time.Second {
		t.Errorf("after a success it waits %s", got)
	}
}

// An event is one that kubectl describe finds.
func TestTell(t *testing.T) {
	s := kubetest.New(t)
	c := clientOf(t, s)
	at := time.Date(2026, 11, 28, 9, 0, 0, 5, time.UTC)
	e := Endpoint{Namespace: "shop", Pod: "cart-0", UID: "u1", Container: "app"}
	if err := c.Tell(t.Context(), Notice{e, "CaseOpened", strings.Repeat("ü", 700), true, at}, "casebook-0"); err != nil {
		t.Fatal(err)
	}
	got := s.Events()[0]
	about := got["involvedObject"].(kubetest.Object)
	if about["uid"] != "u1" || about["kind"] != "Pod" || about["name"] != "cart-0" || got["type"] != "Warning" ||
		got["reason"] != "CaseOpened" || got["lastTimestamp"] != "2026-11-28T09:00:00Z" {
		t.Errorf("the event is %v", got)
	}
	if text := got["message"].(string); len(text) > 1024 || strings.ContainsRune(text, '�') || len(text) < 900 {
		t.Errorf("the message has %d bytes: %q", len(text), text)
	}
}
