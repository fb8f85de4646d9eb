package brief

import (
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens a model counts in a text. It errs upwards: for briefs of the recorded cases it is
// above what the tokenizers cl100k_base and o200k_base count (docs/brief.md has by how much). The sum of
//
//   - 1 for every 4 letters of a part of a word, rounded up; a part begins at a capital that follows a small letter, as
//     most vocabularies have words with their capital;
//   - 1 for every 3 digits, rounded up;
//   - 1 for every 4 of the spaces beyond the first of a run, rounded up: one belongs to the word behind it;
//   - 1 for every line end, tab and other ASCII character;
//   - 1 for every 2 bytes of a character beyond ASCII, rounded up.
//
// So it is never below a fifth of the bytes, and that of two texts together is their sum, give or take one.
func Tokens(text string) int {
	var t counter
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		t.add(r, size)
		i += size
	}
	t.end()
	return t.tokens
}

// Runs of what Tokens counts together.
const (
	noRun = iota
	letters
	digits
	spaces
)

type counter struct {
	tokens int
	run    int // which
	length int
	small  bool // the last letter
}

func (t *counter) add(r rune, size int) {
	kind := noRun
	switch {
	case r >= utf8.RuneSelf:
	case unicode.IsLetter(r):
		kind = letters
	case r >= '0' && r <= '9':
		kind = digits
	case r == ' ':
		kind = spaces
	}
	if kind != t.run || kind == letters && t.small && unicode.IsUpper(r) {
		t.end()
	}
	t.run, t.small = kind, unicode.IsLower(r)
	if kind != noRun {
		t.length++
		return
	}
	t.tokens += (size + 1) / 2
}

// end counts the run that ends.
func (t *counter) end() {
	switch t.run {
	case letters:
		t.tokens += (t.length + 3) / 4
	case digits:
		t.tokens += (t.length + 2) / 3
	case spaces:
		t.tokens += (t.length + 2) / 4 // of length-1
	}
	t.run, t.length = noRun, 0
}
