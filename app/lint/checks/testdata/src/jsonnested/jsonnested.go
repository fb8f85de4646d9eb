package jsonnested

import (
	"encoding/json"
	"errors"
)

type spec struct{ Name string }

func (s *spec) UnmarshalJSON(data []byte) error {
	type plain spec
	if err := json.Unmarshal(data, (*plain)(s)); err != nil { // want `scans them again at each such level`
		return err
	}
	if s.Name == "" {
		return errors.New("no name")
	}
	return nil
}

type kind int

func (k *kind) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil { // want `these bytes were scanned already`
		return err
	}
	*k = kind(len(s))
	return nil
}

type event struct {
	Type       string
	Attributes any
}

func (e *event) UnmarshalJSON(b []byte) error {
	var raw struct {
		Type       string
		Attributes json.RawMessage
	}
	if err := json.Unmarshal(b, &raw); err != nil { // want `these bytes were scanned`
		return err
	}
	e.Type = raw.Type
	return json.Unmarshal(raw.Attributes, &e.Attributes)
}

type layout struct{ spec any }

func (l *layout) UnmarshalJSON(data []byte) error {
	decode := func(v any) error { return json.Unmarshal(data, v) } // want `these bytes were scanned`
	return decode(&l.spec)
}

type list []string

func (l *list) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		*l = list{""}
		return json.Unmarshal(data, &(*l)[0]) // want `these bytes were scanned`
	}
	return json.Unmarshal(data, (*[]string)(l)) // want `these bytes were scanned`
}

// What follows is fine.

type number int

func (n *number) UnmarshalJSON(data []byte) error {
	*n = number(len(data))
	return nil
}

func read(data []byte, v any) error { return json.Unmarshal(data, v) }

func UnmarshalJSON(data []byte) (s spec, err error) { return s, json.Unmarshal(data, &s) }

type text struct{ of spec }

func (t *text) UnmarshalText(data []byte) error { return json.Unmarshal(data, &t.of) }

func (t *text) UnmarshalYAML(f func(any) error) error { return f(&t.of) }

type quoted struct{ of spec }

func (q *quoted) UnmarshalJSON(data []byte) error {
	inner := data[1 : len(data)-1]
	return json.Unmarshal(inner, &q.of)
}
