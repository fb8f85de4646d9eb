// Bbolt is a key-value service over bbolt: reads by View, writes joined by Batch.
package main

import (
	"fmt"
	"net/http"
	"os"

	bolt "go.etcd.io/bbolt"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

func start(serve.Options) error {
	dir, err := os.MkdirTemp("", "modules-bbolt-")
	if err != nil {
		return err
	}
	db, err := bolt.Open(dir+"/kv.db", 0o600, nil)
	if err != nil {
		return err
	}
	bucket := []byte("kv")
	if err := db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket(bucket)
		for i := 0; err == nil && i < 50_000; i++ {
			err = b.Put(fmt.Appendf(nil, "key%d", i), []byte("value"))
		}
		return err
	}); err != nil {
		return err
	}
	http.HandleFunc("/get", func(w http.ResponseWriter, r *http.Request) {
		db.View(func(tx *bolt.Tx) error {
			_, err := w.Write(tx.Bucket(bucket).Get([]byte(r.FormValue("k"))))
			return err
		})
	})
	http.HandleFunc("/set", func(w http.ResponseWriter, r *http.Request) {
		if err := db.Batch(func(tx *bolt.Tx) error {
			return tx.Bucket(bucket).Put([]byte(r.FormValue("k")), []byte("new value of "+r.FormValue("k")))
		}); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 1500, Path: func(i int) string {
		if i%10 == 0 {
			return fmt.Sprint("/set?k=key", i%50000)
		}
		return fmt.Sprint("/get?k=key", i*7%50000)
	}})
}
