// Sandboxes hands out sandboxes; which are taken is in an index, a file that other programs of the host change too.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/gocasebook/casebook/lab/unseen/waits/web"
)

type sandbox struct {
	ID    string            `json:"id"`
	Owner string            `json:"owner"`
	Image string            `json:"image"`
	Since time.Time         `json:"since"`
	Tags  map[string]string `json:"tags"`
}

// An index is a file with its lock beside it.
type index struct {
	path  string
	retry time.Duration
}

func (x *index) load() (map[string]sandbox, error) {
	data, err := os.ReadFile(x.path)
	if errors.Is(err, os.ErrNotExist) {
		return make(map[string]sandbox), nil
	}
	if err != nil {
		return nil, err
	}
	all := make(map[string]sandbox)
	return all, json.Unmarshal(data, &all)
}

func (x *index) store(all map[string]sandbox) error {
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	tmp := x.path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, x.path)
}

// update changes the index while nobody else can.
func (x *index) update(ctx context.Context, change func(map[string]sandbox) error) error {
	lock := flock.New(x.path + ".lock")
	if _, err := lock.TryLockContext(ctx, x.retry); err != nil {
		return fmt.Errorf("lock the index: %w", err)
	}
	defer lock.Close()
	all, err := x.load()
	if err != nil {
		return err
	}
	if err := change(all); err != nil {
		return err
	}
	return x.store(all)
}

func (x *index) claim(w http.ResponseWriter, r *http.Request) {
	owner := r.FormValue("owner")
	err := x.update(r.Context(), func(all map[string]sandbox) error {
		all[owner] = sandbox{ID: "sb-" + owner, Owner: owner, Image: "debian-12", Since: time.Now(),
			Tags: map[string]string{"zone": "a", "tier": "small"}}
		return nil
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, "claimed")
}

func main() {
	dir := flag.String("dir", os.TempDir(), "where the index is")
	flag.Parse()
	x := &index{path: filepath.Join(*dir, "index.json"), retry: 100 * time.Millisecond}
	if *web.Fixed {
		x.retry = 2 * time.Millisecond
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/claim", x.claim)
	web.Serve(mux)
}
