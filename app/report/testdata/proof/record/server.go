package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/http"
	_ "net/http/pprof"
	"slices"
	"sync"
)

// An item is what the shop sells.
type item struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags"`
}

func catalogue() []item {
	items := make([]item, 120)
	for i := range items {
		items[i] = item{i, fmt.Sprintf("item %d", i*7919%997), float64(i*31%400) / 4, []string{"new", "sale"}}
	}
	return items
}

// server answers with the catalogue, sorted, and a tag of its content. Before, each request sorts, encodes with indents
// into fresh memory and writes the tag with fmt; after, the catalogue is sorted once, memory is pooled, and a checksum
// was added.
func server(side, listen string) error {
	items := catalogue()
	handler := before(items)
	if side == "after" {
		slices.SortFunc(items, byName)
		handler = after(items)
	}
	http.HandleFunc("/items", handler)
	return http.ListenAndServe(listen, nil)
}

func byName(a, b item) int { return cmp.Compare(a.Name, b.Name) }

func before(items []item) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		sorted := sortItems(items)
		body, err := json.MarshalIndent(sorted, "", "\t")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("ETag", tagWithFmt(body))
		_, _ = w.Write(body)
	}
}

//go:noinline
func sortItems(items []item) []item {
	sorted := slices.Clone(items)
	slices.SortFunc(sorted, byName)
	return sorted
}

//go:noinline
func tagWithFmt(body []byte) string {
	tag := ""
	for _, b := range sha256.Sum256(body) {
		tag += fmt.Sprintf("%02x", b)
	}
	return tag
}

func after(items []item) http.HandlerFunc {
	pool := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	return func(w http.ResponseWriter, r *http.Request) {
		buf := pool.Get().(*bytes.Buffer)
		defer pool.Put(buf)
		buf.Reset()
		if err := json.NewEncoder(buf).Encode(items); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("ETag", tagWithHex(buf.Bytes()))
		w.Header().Set("X-Checksum", checksum(buf.Bytes()))
		_, _ = w.Write(buf.Bytes())
	}
}

//go:noinline
func tagWithHex(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// checksum is a table-driven CRC of a polynomial that has no instruction: work that the other side has not.
//
//go:noinline
func checksum(body []byte) string {
	return fmt.Sprint(crc32.Checksum(body, crc32.MakeTable(crc32.Koopman)))
}
