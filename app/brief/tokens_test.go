package brief_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/brief"
)

// samples are texts as briefs have them, and others.
var samples = []string{"", " ", "a", "main.(*catalogue).load (main.go:34)", "1,983 goroutines stay",
	"\t\tif err != nil {\n\t\t\treturn nil, err\n\t\t}\n", strings.Repeat(" ", 41), strings.Repeat("word ", 50),
	"github.com/minio/minio-go/v7.(*Client).GetObject.func1", "köln – 東京 🦜", "HTTPServerMaxIdleConnsPerHost",
	"0123456789abcdef0123456789abcdef", strings.Repeat("x", 1000)}

// TestTokensAreNotUnderestimated: no text has fewer tokens than a fifth of its bytes.
func TestTokensAreNotUnderestimated(t *testing.T) {
	for _, text := range samples {
		if got := brief.Tokens(text); got < len(text)/5 {
			t.Errorf("%q: %d tokens in %d bytes", text, got, len(text))
		}
	}
}

// TestTokensAddUp: a text has never fewer tokens than its beginning, and two have as many as one by one, give or take
// one.
func TestTokensAddUp(t *testing.T) {
	for _, a := range samples {
		before := 0
		for i := range a {
			n := brief.Tokens(a[:i])
			if n < before {
				t.Errorf("%q: %d tokens, and %d with one character less", a[:i], n, before)
			}
			before = n
		}
		for _, b := range samples {
			sum, both := brief.Tokens(a)+brief.Tokens(b), brief.Tokens(a+b)
			if both < sum-1 || both > sum+1 {
				t.Errorf("%q and %q: %d tokens together, %d one by one", a, b, both, sum)
			}
		}
	}
}

// TestTokensOfKnownTexts holds the estimate to what cl100k_base counts for the same texts.
func TestTokensOfKnownTexts(t *testing.T) {
	for _, c := range []struct {
		text string
		real int
	}{
		{"The quick brown fox jumps over the lazy dog.", 10},
		{"func main() {\n\tfmt.Println(\"hello\")\n}\n", 10},
		{"1,983 goroutines stay", 6},
		{"main.(*catalogue).load (main.go:34)", 12},
	} {
		if got := brief.Tokens(c.text); got < c.real || got > 3*c.real {
			t.Errorf("%q: %d tokens, a tokenizer counts %d", c.text, got, c.real)
		}
	}
}
