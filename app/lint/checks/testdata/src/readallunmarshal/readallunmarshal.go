package readallunmarshal

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
)

type order struct{ ID string }

func create(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body) // want `only decoded`
	if err != nil {
		return
	}
	var o order
	if err := json.Unmarshal(body, &o); err != nil {
		return
	}
	fmt.Fprintln(w, o.ID)
}

func feed(r io.Reader) (o order, err error) {
	all, err := io.ReadAll(r) // want `only decoded`
	if err != nil || len(all) == 0 {
		return o, err
	}
	return o, xml.Unmarshal(all, &o)
}

// What follows is fine.

func logged(r io.Reader) (o order, err error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(all, &o); err != nil {
		return o, fmt.Errorf("decoding %q: %w", all, err)
	}
	return o, nil
}

func kept(r io.Reader) ([]byte, error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var o order
	return all, json.Unmarshal(all, &o)
}

func passed(r io.Reader, f func([]byte)) {
	all, _ := io.ReadAll(r)
	f(all)
}

func decoder(r io.Reader) (o order, err error) {
	return o, json.NewDecoder(r).Decode(&o)
}
