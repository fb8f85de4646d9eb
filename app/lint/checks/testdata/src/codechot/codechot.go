package codechot

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"os"
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

// What follows is fine.

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
