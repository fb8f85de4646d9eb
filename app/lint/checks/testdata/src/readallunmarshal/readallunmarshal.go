package readallunmarshal

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

type order struct{ ID string }

func decode(r *http.Request) (o order, err error) {
	body, err := io.ReadAll(r.Body) // want `decode from the reader`
	if err != nil {
		return o, err
	}
	err = json.Unmarshal(body, &o)
	return o, err
}

func limited(r io.Reader) (o order) {
	b, _ := io.ReadAll(io.LimitReader(r, 1<<20)) // want `decode from the reader`
	json.Unmarshal(b, &o)
	return o
}

func literal(r io.Reader) func() order {
	return func() (o order) {
		b, err := io.ReadAll(r) // want `decode from the reader`
		if err == nil {
			_ = json.Unmarshal(b, &o)
		}
		return o
	}
}

// What follows is fine.

func says(r io.Reader) (o order, err error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return o, fmt.Errorf("decoding %q: %w", b, err)
	}
	return o, nil
}

func keeps(r io.Reader) ([]byte, order) {
	var o order
	b, _ := io.ReadAll(r)
	json.Unmarshal(b, &o)
	return b, o
}

func twice(r io.Reader) (o order, m map[string]any) {
	b, _ := io.ReadAll(r)
	json.Unmarshal(b, &o)
	json.Unmarshal(b, &m)
	return o, m
}

func empty(r io.Reader) (o order) {
	b, _ := io.ReadAll(r)
	if len(b) > 0 {
		json.Unmarshal(b, &o)
	}
	return o
}

func decodes(r io.Reader) (o order, err error) { return o, json.NewDecoder(r).Decode(&o) }
