package plain_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/gocasebook/casebook/internal/plain"
)

const attack = "a\x1b]0;owned\x07\x1b[2J\r\x9b31m\u202eb\u2066\u200f\u0085\u2028\x00\x7f\U000e0041\xff"

func TestText(t *testing.T) {
	for _, r := range plain.Text(attack + "\n\tc") {
		if !unicode.IsPrint(r) {
			t.Errorf("%U is left", r)
		}
	}
	if got := plain.Text("für 3 µs – “x”"); got != "für 3 µs – “x”" {
		t.Errorf("plain text became %q", got)
	}
}

func TestWriter(t *testing.T) {
	for _, whole := range []bool{true, false} {
		var b bytes.Buffer
		w := plain.NewWriter(&b, false)
		if text := []byte(attack + " ü\n"); whole {
			_, _ = w.Write(text)
		} else {
			for i := range text { // a character may arrive in parts
				_, _ = w.Write(text[i : i+1])
			}
		}
		for _, r := range b.String() {
			if r != '\n' && !unicode.IsGraphic(r) {
				t.Errorf("%U is left", r)
			}
		}
		if !strings.HasPrefix(b.String(), `a\u001b]0;owned\u0007\u001b[2J\u000d`) ||
			!strings.HasSuffix(b.String(), "ü\n") {
			t.Errorf("written: %q", b.String())
		}
	}
}

// TestWriterOfJSON: output that programs read does not change.
func TestWriterOfJSON(t *testing.T) {
	var b bytes.Buffer
	want := map[string]string{"name": strings.ToValidUTF8(attack, "?")}
	if err := json.NewEncoder(plain.NewWriter(&b, false)).Encode(want); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\u202e\u0085\U000e0041") {
		t.Errorf("written: %q", b.String())
	}
	var got map[string]string
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || got["name"] != want["name"] {
		t.Errorf("read: %q (%v), want %q", got["name"], err, want["name"])
	}
}

func TestWriterLetsColoursThrough(t *testing.T) {
	var b bytes.Buffer
	w := plain.NewWriter(&b, true)
	_, _ = w.Write([]byte("\x1b[1;31mred\x1b[0m\x1b[2J\x1b[999999999999m\x1b["))
	if want := "\x1b[1;31mred\x1b[0m" + `\u001b[2J\u001b[999999999999m\u001b[`; b.String() != want {
		t.Errorf("written %q, want %q", b.String(), want)
	}
	plain.EraseLine(w)
	if !strings.HasSuffix(b.String(), "\r\x1b[K") {
		t.Errorf("written %q, want the line erased", b.String())
	}
}

func TestCopy(t *testing.T) {
	type inner struct{ Names []string }
	type outer struct {
		Text string
		In   *inner
		By   map[string]inner
		N    int
	}
	v := outer{Text: "a\nb", In: &inner{[]string{"c\x1b"}}, By: map[string]inner{"d\n": {[]string{"e\r"}}}, N: 7}
	got := plain.Copy(v)
	if got.Text != "a b" || got.In.Names[0] != "c\ufffd" || got.By["d "].Names[0] != "e " || got.N != 7 {
		t.Errorf("the copy is %+v %+v", got, got.In)
	}
	if v.In.Names[0] != "c\x1b" || len(v.By["d\n"].Names) != 1 {
		t.Errorf("the value changed: %+v %+v", v, v.In)
	}
}
