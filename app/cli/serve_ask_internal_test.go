package cli

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/ask"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// storeOf is a store with one case, asking or not.
func storeOf(t *testing.T, asks bool) (*store.Store, string) {
	t.Helper()
	dir := t.TempDir()
	st, err := store.Open(t.Context(), store.Config{Index: "sqlite:" + filepath.Join(dir, "index.db"),
		Blobs: filepath.Join(dir, "blobs"), Scratch: filepath.Join(dir, "scratch"), Ask: asks})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	w, err := casefile.Dir(t.TempDir()).Create(casefile.Case{Opened: time.Now(), Target: casefile.Target{Name: "dns"}})
	if err != nil {
		t.Fatal(err)
	}
	e := casefile.Evidence{File: "cpu.pb.gz", Kind: casefile.CPU, Phase: casefile.During, Taken: time.Now(),
		GoFormat: true}
	if err := w.Add(e, checkout.File(t, "foreign/coredns-dnssec/cpu.pb.gz")); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	var zip bytes.Buffer
	if err := casefile.Export(f, &zip); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Put(t.Context(), store.Upload{Body: &zip}); err != nil {
		t.Fatal(err)
	}
	return st, f.Case.ID
}

// A server asks about a case that came in, where its store says so: the answer becomes an opinion in the store, and
// what failed is not sent again.
func TestServeAsks(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"finish_reason": "stop",
			"message": map[string]any{"content": `{"place": [{"function": "main.notThere"}], "cause": "a guess"}`}}}})
	}))
	t.Cleanup(model.Close)
	mine := agent{Agent: ask.Agent{Name: "mine", Protocol: ask.OpenAI, URL: model.URL, Model: "m"}}
	work := newDesk([]agent{mine}).work(slog.New(slog.DiscardHandler))

	st, _ := storeOf(t, false)
	if j, err := st.TakeJob(t.Context(), "me", time.Minute, store.Ask); err == nil {
		t.Fatalf("a store that does not ask has the job %+v", j)
	}
	st, id := storeOf(t, true)
	if j, err := st.TakeJob(t.Context(), "me", time.Minute, store.Ask); err != nil || j.Case != id {
		t.Fatalf("the job of the case is %+v, %v", j, err)
	}
	if err := work(t.Context(), st, id); err != nil {
		t.Fatal(err)
	}
	c, err := st.Case(t.Context(), id)
	if err != nil || len(c.Opinions) != 1 || c.Opinions[0].Author != "mine (m)" || asked.Load() != 2 {
		t.Errorf("%+v, %v after %d questions", c.Opinions, err, asked.Load())
	}
	model.Close()
	if err := work(t.Context(), st, id); err != nil {
		t.Errorf("an endpoint that is not there has the job tried again: %v", err)
	}
	if err := work(t.Context(), st, "20261121T132512Z-gone-3f2a9c"); err != nil {
		t.Errorf("a case that was removed: %v", err)
	}
}
