// Badger is a key-value service over Badger with its default options: memtables, block cache, compactors.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/dgraph-io/badger/v4"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

func start(serve.Options) error {
	dir, err := os.MkdirTemp("", "modules-badger-")
	if err != nil {
		return err
	}
	db, err := badger.Open(badger.DefaultOptions(dir).WithLoggingLevel(badger.ERROR))
	if err != nil {
		return err
	}
	http.HandleFunc("/get", func(w http.ResponseWriter, r *http.Request) {
		db.View(func(txn *badger.Txn) error {
			item, err := txn.Get([]byte(r.FormValue("k")))
			if err != nil {
				return err
			}
			return item.Value(func(v []byte) error {
				_, err := w.Write(v)
				return err
			})
		})
	})
	http.HandleFunc("/set", func(w http.ResponseWriter, r *http.Request) {
		err := db.Update(func(txn *badger.Txn) error {
			return txn.Set([]byte(r.FormValue("k")), []byte("value of "+r.FormValue("k")))
		})
		if err != nil {
			io.WriteString(w, err.Error())
		}
	})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2000, Path: func(i int) string {
		if i%4 == 0 {
			return fmt.Sprint("/set?k=key", i%20000)
		}
		return fmt.Sprint("/get?k=key", i*7%20000)
	}})
}
