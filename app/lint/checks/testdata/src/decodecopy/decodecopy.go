package decodecopy

import (
	"encoding/json"
	"encoding/xml"
	"strings"
)

type state struct{ ID string }

func get(val string) (s state, err error) {
	err = json.Unmarshal([]byte(val), &s) // want `all of the text is copied to be decoded`
	return s, err
}

func all(vals map[string]string) (out []state, err error) {
	for _, v := range vals {
		var s state
		if err := json.Unmarshal([]byte(v), &s); err != nil { // want `take it as bytes`
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func feed(text string) (s state, err error) {
	return s, xml.Unmarshal([]byte(text), &s) // want `copied to be decoded`
}

type raw string

func named(r raw) (s state, err error) {
	return s, json.Unmarshal([]byte(r), &s) // want `copied to be decoded`
}

func part(line string) (s state, err error) {
	_, text, _ := strings.Cut(line, "\t")
	return s, json.Unmarshal([]byte(text), &s) // want `copied to be decoded`
}

// What follows is fine.

func bytes(b []byte) (s state, err error) { return s, json.Unmarshal(b, &s) }

func constant() (s state, err error) { return s, json.Unmarshal([]byte(`{"ID":"a"}`), &s) }

func large(text string) (s state, err error) {
	return s, json.NewDecoder(strings.NewReader(text)).Decode(&s)
}

func initState(text string) (s state, err error) { return s, json.Unmarshal([]byte(text), &s) }

type own struct{}

func (own) Unmarshal([]byte, any) error { return nil }

func other(text string, v any) error { return own{}.Unmarshal([]byte(text), v) }

func valid(text string) bool { return json.Valid([]byte(text)) }
