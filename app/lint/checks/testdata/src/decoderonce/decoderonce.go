package decoderonce

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

type order struct{ ID string }

func direct(b []byte) (o order, err error) {
	return o, json.NewDecoder(bytes.NewReader(b)).Decode(&o) // want `json.Unmarshal decodes them`
}

func checked(b []byte) (o order, err error) {
	r := bytes.NewReader(b)
	dec := json.NewDecoder(r) // want `json.Unmarshal decodes them`
	if err := dec.Decode(&o); err != nil {
		return o, err
	}
	return o, rest(dec, r)
}

func rest(dec *json.Decoder, r *bytes.Reader) error { return nil }

func text(s string) (o order) {
	dec := json.NewDecoder(strings.NewReader(s)) // want `json.Unmarshal decodes them`
	dec.Decode(&o)
	return o
}

func body(r *http.Request) (o order, err error) {
	return o, json.NewDecoder(r.Body).Decode(&o) // want `a Decoder's buffer is made, and grows, for each body`
}

type handler struct{ request *http.Request }

func (h *handler) into(v any) error {
	decoder := json.NewDecoder(h.request.Body) // want `read it into a bytes.Buffer of a sync.Pool`
	return decoder.Decode(v)
}

// What follows is fine.

func strictBody(r *http.Request) (o order, err error) {
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	return o, dec.Decode(&o)
}

func lines(res *http.Response) (all []order) {
	for dec := json.NewDecoder(res.Body); dec.More(); {
		var o order
		if dec.Decode(&o) != nil {
			break
		}
		all = append(all, o)
	}
	return all
}

type message struct{ Body io.Reader }

func of(m message) (o order, err error) { return o, json.NewDecoder(m.Body).Decode(&o) }

func strict(b []byte) (o order, err error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	return o, dec.Decode(&o)
}

func several(b []byte) (all []order) {
	dec := json.NewDecoder(bytes.NewReader(b))
	for dec.More() {
		var o order
		if dec.Decode(&o) != nil {
			break
		}
		all = append(all, o)
	}
	return all
}

func stream(r io.Reader) (o order, err error) { return o, json.NewDecoder(r).Decode(&o) }

func given(r *bytes.Reader) (o order, err error) { return o, json.NewDecoder(r).Decode(&o) }
