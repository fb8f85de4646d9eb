// Receipts stores the receipts of cash desks in bbolt.
package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"go.etcd.io/bbolt"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Item struct {
	Name  string `json:"name"`
	Cents int64  `json:"cents"`
	VAT   int    `json:"vat"`
}

type Receipt struct {
	Number uint64    `json:"number"`
	Desk   int       `json:"desk"`
	At     time.Time `json:"at"`
	Items  []Item    `json:"items"`
	Total  int64     `json:"total"`
}

var (
	receipts = []byte("receipts")
	totals   = []byte("totals")
	errGone  = errors.New("no such receipt")
)

type Book struct{ db *bbolt.DB }

func OpenBook(file string) (*Book, error) {
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		return nil, err
	}
	return &Book{db}, db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(receipts)
		if err == nil {
			_, err = tx.CreateBucketIfNotExists(totals)
		}
		return err
	})
}

func key(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// Append stores a receipt and adds it to its desk's total.
func (b *Book) Append(r *Receipt) error {
	err := b.db.Update(func(tx *bbolt.Tx) (err error) {
		bucket := tx.Bucket(receipts)
		if r.Number, err = bucket.NextSequence(); err != nil {
			return err
		}
		data, err := json.Marshal(r)
		if err != nil {
			return err
		}
		return bucket.Put(key(r.Number), data)
	})
	if err != nil {
		return fmt.Errorf("storing the receipt: %w", err)
	}
	return b.addTotal(r.Desk, r.Total)
}

func (b *Book) addTotal(desk int, cents int64) error {
	return b.db.Update(func(tx *bbolt.Tx) error {
		bucket, k := tx.Bucket(totals), key(uint64(desk))
		if v := bucket.Get(k); v != nil {
			cents += int64(binary.BigEndian.Uint64(v))
		}
		return bucket.Put(k, key(uint64(cents)))
	})
}

func (b *Book) Find(n uint64) (r Receipt, err error) {
	err = b.db.View(func(tx *bbolt.Tx) error {
		v := tx.Bucket(receipts).Get(key(n))
		if v == nil {
			return errGone
		}
		return json.Unmarshal(v, &r)
	})
	return r, err
}

func (b *Book) post(w http.ResponseWriter, r *http.Request) {
	var in Receipt
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	in.At, in.Total = time.Now(), 0
	for _, it := range in.Items {
		in.Total += it.Cents + it.Cents*int64(it.VAT)/100
	}
	if err := b.Append(&in); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(in)
}

func (b *Book) get(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.ParseUint(r.PathValue("number"), 10, 64)
	if err != nil {
		http.Error(w, "number?", http.StatusBadRequest)
		return
	}
	found, err := b.Find(n)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	json.NewEncoder(w).Encode(found)
}

func load(p drive.Ports) {
	drive.HTTP(120, func(i int) *http.Request {
		if i%2 == 0 {
			return drive.Get(p.Main(), "/receipts/%d", 1+i%50)
		}
		items := `{"name":"milk","cents":129,"vat":7}`
		for n := range 12 {
			items += fmt.Sprintf(`,{"name":"item %d","cents":%d,"vat":19}`, n, 50+n*13)
		}
		return drive.Send(http.MethodPost, p.Main(), "/receipts", fmt.Sprintf(`{"desk":%d,"items":[%s]}`, i%30, items))
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	file := filepath.Join(os.TempDir(), fmt.Sprintf("receipts-%d.db", p.Base))
	os.Remove(file)
	b, err := OpenBook(file)
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /receipts", b.post)
	http.HandleFunc("GET /receipts/{number}", b.get)
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}
