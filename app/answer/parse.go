package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// example is the form of an answer in an error.
const example = `{"place": [{"function": "main.(*store).load", "file": "store.go", "line": 34}], "cause": "…", ` +
	`"change": "…"}`

// Parse reads an answer: JSON, or prose with JSON in it, of which the last answer counts. It takes what agents write:
// one place in place of a list, "store.go:34", numbers as text, an answer inside of the envelope of a program.
func Parse(data []byte) (Answer, error) {
	if len(data) > MaxBytes {
		return Answer{}, fmt.Errorf("reading the answer: it has more than %d bytes; an answer is a place, a "+
			"cause and a "+
			"change: %s", MaxBytes, example)
	}
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	best, found := object{}, false
	all := objects(string(data), enveloped)
	for _, o := range all {
		if o.isAnswer() {
			best, found = o, true
		}
	}
	if !found {
		return Answer{}, fmt.Errorf("reading the answer: %s; want %s", noAnswer(data, all), example)
	}
	a := best.answer()
	switch {
	case len(a.Place) == 0:
		return Answer{}, fmt.Errorf("reading the answer: its place names no function, file or line; want %s", example)
	case a.Cause == "":
		return Answer{}, errors.New("reading the answer: its cause is empty; say in a sentence why the place is " +
			"slow, " +
			"waits or holds what it does")
	}
	return a, nil
}

// noAnswer says why there is no answer in a text with these objects in it.
func noAnswer(data []byte, all []object) string {
	text := string(bytes.TrimSpace(data))
	for _, o := range all {
		switch {
		case o.value("place") != nil:
			return "its JSON has a place and no cause"
		case o.value("cause") != nil:
			return "its JSON has a cause and no place"
		}
	}
	switch {
	case text == "":
		return "it is empty"
	case len(all) > 0:
		return "its JSON has neither a place nor a cause"
	case !strings.Contains(text, "{"):
		return "it is text without JSON, in which no place can be told from other words"
	}
	var o object
	err := json.NewDecoder(strings.NewReader(text[strings.IndexByte(text, '{'):])).Decode(&o)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "its JSON does not end: it was cut off, or a bracket or a quotation mark is missing"
	}
	return fmt.Sprintf("its JSON cannot be read: %v", err)
}

// An object is a JSON object of which the values are not read yet.
type object map[string]json.RawMessage

// enveloped is how deep an answer may be in texts and objects of other programs: the command lines of agents print
// {"result": "…"}.
const enveloped = 3

// maxScanned bounds how many bytes are decoded in search of objects: "{" alone may begin one a million times.
const maxScanned = 4 * MaxBytes

// objects are the JSON objects in a text, in their order, with those in their values down to a depth.
func objects(text string, depth int) (all []object) {
	scanned := 0
	for scanned < maxScanned {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			break
		}
		text = text[i:]
		d := json.NewDecoder(strings.NewReader(text))
		var o object
		err := d.Decode(&o)
		if err != nil {
			scanned += len(text)
			if d.InputOffset() == 0 && syntaxAt(err) > 0 {
				scanned -= len(text) - min(int(syntaxAt(err)), len(text)) // it ended where the error is
			}
			text = text[1:]
			continue
		}
		scanned += int(d.InputOffset())
		text = text[d.InputOffset():]
		all = append(all, inside(o, depth)...)
	}
	return all
}

// syntaxAt is after how many bytes decoding failed; 0 where it does not say.
func syntaxAt(err error) int64 {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Offset
	}
	return 0
}

// inside is an object, behind those in its values if it is no answer itself.
func inside(o object, depth int) (all []object) {
	if depth > 0 && !o.isAnswer() {
		for _, key := range []string{"result", "answer", "content", "text", "message", "output", "response"} {
			raw := o[key]
			var text string
			var nested object
			switch {
			case raw == nil:
			case json.Unmarshal(raw, &text) == nil:
				all = append(all, objects(text, depth-1)...)
			case json.Unmarshal(raw, &nested) == nil:
				all = append(all, inside(nested, depth-1)...)
			}
		}
	}
	return append(all, o)
}

// isAnswer reports whether an object has what every answer has.
func (o object) isAnswer() bool { return o.value("place") != nil && o.value("cause") != nil }

// alias are other names of fields that people and agents use.
var alias = map[string][]string{
	"place":   {"places", "where", "location", "locations"},
	"cause":   {"root_cause", "why", "reason"},
	"change":  {"fix", "remedy", "cure"},
	"diff":    {"patch"},
	"rests":   {"facts", "evidence"},
	"numbers": {"number"},
	"uses":    {"use"},
}

// value is a field by one of its names; nil where there is none.
func (o object) value(name string) json.RawMessage {
	for _, n := range append([]string{name}, alias[name]...) {
		if raw := o[n]; len(raw) > 0 && string(raw) != "null" {
			return raw
		}
	}
	return nil
}
