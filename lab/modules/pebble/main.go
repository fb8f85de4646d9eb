// Pebble is a key-value service over Pebble: memtable, block cache, compactions, and a scan now and then.
package main

import (
	"fmt"
	"net/http"
	"os"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

func start(serve.Options) error {
	dir, err := os.MkdirTemp("", "modules-pebble-")
	if err != nil {
		return err
	}
	cache := pebble.NewCache(64 << 20)
	db, err := pebble.Open(dir, &pebble.Options{Cache: cache, MemTableSize: 64 << 20, Logger: quiet{}})
	if err != nil {
		return err
	}
	for i := range 100_000 {
		if err := db.Set(fmt.Appendf(nil, "key%06d", i), []byte("value"), pebble.NoSync); err != nil {
			return err
		}
	}
	http.HandleFunc("/get", func(w http.ResponseWriter, r *http.Request) {
		v, closer, err := db.Get([]byte(r.FormValue("k")))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		defer closer.Close()
		w.Write(v)
	})
	http.HandleFunc("/set", func(w http.ResponseWriter, r *http.Request) {
		if err := db.Set([]byte(r.FormValue("k")), []byte("new value"), pebble.NoSync); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	http.HandleFunc("/scan", func(w http.ResponseWriter, r *http.Request) {
		it, err := db.NewIter(&pebble.IterOptions{LowerBound: []byte(r.FormValue("k"))})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer it.Close()
		for n := 0; n < 100 && (n == 0 && it.First() || n > 0 && it.Next()); n++ {
			w.Write(it.Key())
		}
	})
	return nil
}

type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(f string, a ...any) {
	panic(fmt.Sprintf(f, a...))
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2500, Path: func(i int) string {
		switch {
		case i%5 == 0:
			return fmt.Sprintf("/set?k=key%06d", i*31%100000)
		case i%20 == 1:
			return fmt.Sprintf("/scan?k=key%06d", i*31%100000)
		}
		return fmt.Sprintf("/get?k=key%06d", i*7%100000)
	}})
}
