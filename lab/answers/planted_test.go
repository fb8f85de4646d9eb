package main

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// Of the planted answers 57 have to be refused for what is wrong, and 33 of the right ones to be supported: what an
// answer says is judged by facts, and facts get better and are worded otherwise.
func TestPlanted(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles nine diffs and reads forty cases")
	}
	checkout.Need(t)
	var out, errs bytes.Buffer
	if code := planted([]string{"-dir", "."}, &out, &errs); code == 2 {
		t.Fatal(errs.String())
	}
	for words, least := range map[string]int{"wrong answers are refused": 57, "right answers are supported": 33} {
		m := regexp.MustCompile(`(?m)^(\d+) of \d+ ` + words).FindStringSubmatch(out.String())
		if m == nil {
			t.Fatalf("no line %q in:\n%s", words, out.String())
		}
		if n, _ := strconv.Atoi(m[1]); n < least {
			t.Errorf("%d %s, want %d:\n%s", n, words, least, out.String())
		}
	}
}
