package answer_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/answer"
	"github.com/gocasebook/casebook/casefile"
)

func TestParse(t *testing.T) {
	here := []casefile.At{{Function: "main.load", File: "main.go", Line: 34}}
	for name, tt := range map[string]struct {
		text string
		want answer.Answer
	}{
		"json": {`{"author":"jane","place":[{"function":"main.load","file":"main.go","line":34}],"cause":"c",
			"rests":["W1","H2"],"gain":{"resource":"CPU","low":0.5,"high":0.9},
			"uses":[{"module":"a.b/c","version":"v1.2.3","name":"N"}],
			"numbers":[{"fact":"W1","name":"goroutines","value":472,"unit":""}],"other":1}`,
			answer.Answer{Author: "jane", Place: here, Cause: "c", Rests: []string{"W1", "H2"},
				Gain: &casefile.Claim{Resource: "cpu", Low: 0.5, High: 0.9}, Uses: []answer.Use{{Module: "a.b/c",
					Version: "v1.2.3",
					Name:    "N"}}, Numbers: []answer.Number{{Fact: "W1", Name: "goroutines", Value: 472}}}},
		"one place": {`{"place":{"function":"main.load","file":"main.go","line":"34"},"cause":"c"}`,
			answer.Answer{Place: here, Cause: "c"}},
		"a place as text": {`{"place":"main.load (main.go:34)","cause":"c"}`, answer.Answer{Place: here, Cause: "c"}},
		"a file as text": {`{"place":["main.go:34-36"],"cause":"c"}`,
			answer.Answer{Place: []casefile.At{{File: "main.go", Line: 34}}, Cause: "c"}},
		"a line in the file": {`{"place":[{"function":"main.load","file":"main.go:34"}],"cause":"c"}`,
			answer.Answer{Place: here, Cause: "c"}},
		"in prose": {"Here it is.\n```json\n{\"place\": \"main.load (main.go:34)\", \"cause\": \"c\"}\n```\nI " +
			"am {sure} of it.",
			answer.Answer{Place: here, Cause: "c"}},
		"the last of two": {`{"place":"main.first","cause":"draft"} then
			{"place":"main.load (main.go:34)","cause":"c"}`,
			answer.Answer{Place: here, Cause: "c"}},
		"in an envelope": {`{"type":"result","result":"` + "```json\\n" + `{\"place\":\"main.load (main.go:34)\",` +
			`\"cause\":\"c\"}` + "\\n```" + `"}`,
			answer.Answer{Place: here, Cause: "c"}},
		"other names": {`{"location":"main.load (main.go:34)","root_cause":"c","fix":"f","facts":"W1, H2"}`,
			answer.Answer{Place: here, Cause: "c", Change: "f", Rests: []string{"W1", "H2"}}},
		"numbers as text": {`{"place":"main.load (main.go:34)","cause":"c",
			"numbers":[{"name":"heap","value":"1.5 GiB"}],
			"gain":{"resource":"memory","low":"50 %","high":"90 %"}}`,
			answer.Answer{Place: here, Cause: "c", Numbers: []answer.Number{{Name: "heap", Value: 1.5, Unit: "GiB"}},
				Gain: &casefile.Claim{Resource: "memory", Low: 0.5, High: 0.9}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := answer.Parse([]byte(tt.text))
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":        {"\n", "it is empty; want {"},
		"prose":          {"It is the database.", "without JSON"},
		"no place":       {`{"cause":"c"}`, "no place; want {"},
		"cause left out": {`see {"a":1} {"place":"main.load"}`, "no cause; want {"},
		"another form":   {`{"a":1}`, "neither a place nor a cause"},
		"no JSON":        {`{place: "main.load"}`, "cannot be read: invalid character 'p'"},
		"an empty one":   {`{"place":[{}],"cause":"c"}`, "names no function"},
		"no cause":       {`{"place":"main.load","cause":" "}`, "cause is empty"},
		"cut off":        {`{"place":"main.load","cause":"c`, "does not end"},
		"ten megabytes":  {strings.Repeat("x", 10<<20), "more than 1048576 bytes"},
		"a million {":    {strings.Repeat("{", answer.MaxBytes), "want {"},
		"deep":           {strings.Repeat(`{"a":`, 100_000), "want {"},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			_, err := answer.Parse([]byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v; want %q in it", err, tt.want)
			}
			if took := time.Since(began); took > time.Minute { // each "{" tried to the end takes hours
				t.Errorf("it took %s", took)
			}
		})
	}
}

// What an answer brings is bounded, and no control character of it reaches a screen.
func TestParseBounds(t *testing.T) {
	long := strings.Repeat("ü", 50_000)
	a, err := answer.Parse([]byte(`{"place":"main.load\u001b[2J","author":"` + long[:4000] + `","cause":"` + long +
		`\u0007","rests":[` + strings.Repeat(`"W1",`, 5000) + `"W2"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(a.Cause)); n > 4000 || len(a.Rests) > 50 || strings.ContainsAny(a.Cause+a.Place[0].Function,
		"\x1b\x07") {
		t.Errorf("%d characters, %d facts, %q", n, len(a.Rests), a.Place[0].Function)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"place":"main.load","cause":"c","numbers":[{"value":"1 %"}],"uses":["a@v1"],"gain":{"high":2}}`))
	f.Add([]byte("text {\"place\":[[]],\"cause\":[]} {"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, err := answer.Parse(data); err == nil && (len(a.Place) == 0 || a.Cause == "") {
			t.Errorf("%q is an answer: %+v", data, a)
		}
	})
}
