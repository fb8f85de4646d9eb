// Ledger stores the transactions that peers send, in lists.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"github.com/gocasebook/casebook/lab/unseen/waits/web"
)

type transaction struct {
	Ref     string `json:"ref"`
	Prev    string `json:"prev"`
	Payload []byte `json:"payload"`
}

var (
	bucketTransactions = []byte("transactions")
	bucketOrder        = []byte("order")
	errEmpty           = errors.New("a transaction has no reference")
)

type state struct {
	db    *bbolt.DB
	batch bool
}

func write(tx *bbolt.Tx, t transaction) error {
	if t.Ref == "" {
		return errEmpty
	}
	b := tx.Bucket(bucketTransactions)
	if bytes.Equal(b.Get([]byte(t.Ref)), t.Payload) {
		return nil
	}
	if err := b.Put([]byte(t.Ref), t.Payload); err != nil {
		return err
	}
	order := tx.Bucket(bucketOrder)
	n, err := order.NextSequence()
	if err != nil {
		return err
	}
	return order.Put(binary.BigEndian.AppendUint64(nil, n), []byte(t.Ref))
}

// add verifies and stores one transaction.
func (s *state) add(t transaction) error {
	return s.db.Update(func(tx *bbolt.Tx) error { return write(tx, t) })
}

// addList stores what came in one message.
func (s *state) addList(list []transaction) error {
	if s.batch {
		return s.db.Update(func(tx *bbolt.Tx) error {
			for _, t := range list {
				if err := write(tx, t); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for _, t := range list {
		if err := s.add(t); err != nil {
			return err
		}
	}
	return nil
}

func (s *state) receive(w http.ResponseWriter, r *http.Request) {
	var list []transaction
	if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	from := r.FormValue("from")
	for i := range list {
		list[i].Ref = from + "/" + list[i].Ref
	}
	if err := s.addList(list); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

func main() {
	dir := flag.String("dir", os.TempDir(), "where the database is")
	flag.Parse()
	db, err := bbolt.Open(filepath.Join(*dir, "ledger.db"), 0o600, nil)
	if err != nil {
		log.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{bucketTransactions, bucketOrder} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	s := &state{db: db, batch: *web.Fixed}
	mux := http.NewServeMux()
	mux.HandleFunc("/transactions", s.receive)
	web.Serve(mux)
}
