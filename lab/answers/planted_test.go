package main

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// floors are how many of an archive's answers have to be judged rightly: some less than are, because they are judged by
// facts, and facts get better.
var floors = map[string]int{"planted.txtar": 57, "right.txtar": 33, "planted2.txtar": 37, "right2.txtar": 17}

func TestPlanted(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles nine diffs and reads forty cases")
	}
	checkout.Need(t)
	var out, errs bytes.Buffer
	if code := planted([]string{"-dir", "."}, &out, &errs); code == 2 {
		t.Fatal(errs.String())
	}
	seen := 0
	for _, m := range regexp.MustCompile(`(?m)^(\S+\.txtar): (\d+) of \d+ `).FindAllStringSubmatch(out.String(), -1) {
		least, ok := floors[m[1]]
		if n, _ := strconv.Atoi(m[2]); !ok || n < least {
			t.Errorf("%s: %d are judged rightly, want %d or more:\n%s", m[1], n, least, out.String())
		}
		seen++
	}
	if seen != len(floors) {
		t.Errorf("%d archives were checked, want %d:\n%s", seen, len(floors), out.String())
	}
}
