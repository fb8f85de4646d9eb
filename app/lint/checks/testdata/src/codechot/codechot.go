package codechot

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"os"
	"sync"
)

type order struct{ ID string }

func stored(w io.Writer, o order) error {
	return json.NewEncoder(w).Encode(o) // want `json encodes by reflection at each pass`
}

func loaded(f *os.File) (o order, err error) {
	dec := json.NewDecoder(f)
	return o, dec.Decode(&o) // want `json decodes by reflection`
}

func text(o order) ([]byte, error) {
	return json.Marshal(o) // want `keep what was made and encode less often`
}

func feed(data []byte) (o order, err error) {
	return o, xml.Unmarshal(data, &o) // want `xml decodes by reflection`
}

func index(data []byte) (all []order, err error) {
	return all, gob.NewDecoder(bytes.NewReader(data)).Decode(&all) // want `gob decodes by reflection`
}

func cached(w http.ResponseWriter, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var all []order
	return json.Unmarshal(data, &all) // want `json decodes by reflection`
}

func logged(r *http.Request, f *os.File) error {
	return json.NewEncoder(f).Encode(r.Header) // want `json encodes by reflection`
}

func sent(w http.ResponseWriter, queue chan []byte, o order) {
	data, _ := json.Marshal(o) // want `json encodes by reflection`
	queue <- data
}

// What follows is fine.

func packed(w http.ResponseWriter, pool *sync.Pool, o order) error {
	var to io.Writer = w
	if gz, ok := pool.Get().(*gzip.Writer); ok {
		gz.Reset(w)
		defer gz.Close()
		to = gz
	}
	return json.NewEncoder(to).Encode(o)
}

func written(w http.ResponseWriter, o order) {
	data, err := json.Marshal(o)
	if err != nil {
		return
	}
	w.Write(data)
}

func respond(w http.ResponseWriter, code int, body string) {}

func responded(w http.ResponseWriter, o order) {
	data, _ := json.Marshal(o)
	respond(w, 200, string(data))
}

func limited(r *http.Request) (o order, err error) {
	body := io.LimitReader(r.Body, 1<<20)
	dec := json.NewDecoder(body)
	return o, dec.Decode(&o)
}

func whole(r *http.Request) (o order, err error) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal(data, &o)
}

func answer(w http.ResponseWriter, o order) error {
	enc := json.NewEncoder(w)
	return enc.Encode(o) // once for each request
}

func read(r *http.Request) (o order, err error) {
	return o, json.NewDecoder(r.Body).Decode(&o)
}

func shown(o order) ([]byte, error) { return json.MarshalIndent(o, "", "  ") }

func initOrders(data []byte) (all []order, err error) { return all, json.Unmarshal(data, &all) }

func init() {
	json.NewEncoder(os.Stdout).Encode(order{})
}

func token(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

func unhexed(src []byte) ([]byte, error) {
	dst := make([]byte, hex.DecodedLen(len(src)))
	_, err := hex.Decode(dst, src)
	return dst, err
}

func valid(data []byte) bool { return json.Valid(data) }

type own struct{}

func (own) Encode(io.Writer, any) error { return nil }

func encoded(w io.Writer, o order) error { return own{}.Encode(w, o) }
