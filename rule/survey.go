package rule

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A surveyor walks a rules file before it is decoded: it records the line of every field, and finds all fields that are
// unknown or have the wrong type. encoding/json stops at the first of these, and reports no line or place for some.
type surveyor struct {
	data   []byte
	dec    *json.Decoder
	lines  map[string]int // by path: "rules[0].when.for"
	faults []located
	spoilt []string // paths with a fault
}

// survey walks data, which must be JSON.
func survey(data []byte) *surveyor {
	s := &surveyor{data: data, dec: json.NewDecoder(bytes.NewReader(data)), lines: make(map[string]int)}
	s.walk(reflect.TypeFor[File](), "")
	return s
}

func rulePath(i int) string { return fmt.Sprintf("rules[%d]", i) }

// broken reports whether a rule has a fault.
func (s *surveyor) broken(rule int) bool {
	path := rulePath(rule)
	return slices.ContainsFunc(s.spoilt, func(p string) bool { return p == path || strings.HasPrefix(p, path+".") })
}

// line is the line of a field; for a missing field it is the line of the object that should have it.
func (s *surveyor) line(path string) int {
	for {
		if line, ok := s.lines[path]; ok {
			return line
		}
		cut := strings.LastIndexAny(path, ".[")
		if cut < 0 {
			return 1
		}
		path = path[:cut]
	}
}

func (s *surveyor) fault(path, text string) {
	s.spoilt = append(s.spoilt, path)
	s.faults = append(s.faults, located{s.line(path), text})
}

// walk takes the next value, which is at path and should have the given type.
func (s *surveyor) walk(t reflect.Type, path string) {
	offset := s.dec.InputOffset()
	offset += int64(len(s.data[offset:]) - len(bytes.TrimLeft(s.data[offset:], " \t\r\n:,")))
	s.lines[path] = lineAt(s.data, offset)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	own := reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
	switch {
	case t.Kind() == reflect.Struct && !own && s.data[offset] == '{':
		s.object(t, path)
	case t.Kind() == reflect.Slice && s.data[offset] == '[':
		s.list(t, path)
	default:
		s.value(t, path)
	}
}

func (s *surveyor) object(t reflect.Type, path string) {
	s.token() // {
	for s.dec.More() {
		name, _ := s.token().(string)
		at := strings.TrimPrefix(path+"."+name, ".")
		line := lineAt(s.data, s.dec.InputOffset())
		field, known := fieldNamed(t, name)
		switch _, twice := s.lines[at]; {
		case !known:
			s.lines[at] = line
			s.fault(at, fmt.Sprintf("unknown field %q in %s; known: %s", name, placeName(path),
				strings.Join(fieldNames(t), ", ")))
			s.skip()
		case twice:
			s.fault(at, fmt.Sprintf("field %q is set twice in %s", name, placeName(path)))
			s.skip()
		default:
			s.walk(field.Type, at)
		}
	}
	s.token() // }
}

func (s *surveyor) list(t reflect.Type, path string) {
	s.token() // [
	for i := 0; s.dec.More(); i++ {
		s.walk(t.Elem(), fmt.Sprintf("%s[%d]", path, i))
	}
	s.token() // ]
}

// value decodes a value without parts, to check that it can be.
func (s *surveyor) value(t reflect.Type, path string) {
	var raw json.RawMessage
	if err := s.dec.Decode(&raw); err != nil {
		s.fault(path, err.Error())
		return
	}
	err := json.Unmarshal(raw, reflect.New(t).Interface())
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		s.fault(path, fmt.Sprintf("%s: wants %s, not %s", placeName(path), typeName(t), clip(raw)))
	case err != nil:
		s.fault(path, fmt.Sprintf("%s: %v", placeName(path), err))
	}
}

// token and skip cannot fail: the syntax has been checked.
func (s *surveyor) token() json.Token {
	t, _ := s.dec.Token()
	return t
}

func (s *surveyor) skip() {
	var raw json.RawMessage
	_ = s.dec.Decode(&raw)
}

func fieldNamed(t reflect.Type, name string) (reflect.StructField, bool) {
	for i := range t.NumField() {
		if jsonName(t.Field(i)) == name {
			return t.Field(i), true
		}
	}
	return reflect.StructField{}, false
}

func fieldNames(t reflect.Type) []string {
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = jsonName(t.Field(i))
	}
	return names
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func placeName(path string) string {
	if path == "" {
		return "the file"
	}
	return path
}

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64:
		return "a number"
	case reflect.Int:
		return "a whole number"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// clip shows the beginning of a JSON value.
func clip(raw []byte) string {
	const most = 40
	if r := []rune(string(raw)); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return string(raw)
}

func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte{'\n'})
}
