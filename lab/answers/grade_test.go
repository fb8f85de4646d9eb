package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/answer"
	"github.com/gocasebook/casebook/casefile"
)

func TestGrade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "patterns.json")
	text := `{"minio": {"place": "catalogue\\)\\.load|GetObject", "cure": "[Cc]lose", "wrong": "GOGC"}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := readPatterns(file)
	if err != nil {
		t.Fatal(err)
	}
	load := []casefile.At{{Function: "main.(*catalogue).load", File: "/src/main.go", Line: 34}}
	for name, k := range map[string]struct {
		answer answer.Answer
		want   grade
	}{
		"both":                {answer.Answer{Place: load, Cause: "stays", Change: "close it"}, hit},
		"the cure in a diff":  {answer.Answer{Place: load, Diff: "--- a\n+++ b\n+\tdefer obj.Close()\n"}, hit},
		"what a diff removes": {answer.Answer{Place: load, Diff: "--- a\n+++ b\n-\tdefer obj.Close()\n"}, partial},
		"in the cause":        {answer.Answer{Cause: "GetObject is not closed", Change: "close it"}, hit},
		"the place alone":     {answer.Answer{Place: load, Change: "wait"}, partial},
		"the cure alone":      {answer.Answer{Change: "close it"}, partial},
		"a wrong cure":        {answer.Answer{Place: load, Change: "set GOGC"}, wrong},
		"two cures":           {answer.Answer{Place: load, Change: "close it and set GOGC"}, partial},
		"what does not help":  {answer.Answer{Place: load, Cause: "GOGC does not help", Change: "close it"}, hit},
		"neither":             {answer.Answer{Cause: "it is slow"}, wrong},
	} {
		if got := all["minio"].grade(&k.answer); got != k.want {
			t.Errorf("%s: %s, want %s", name, got, k.want)
		}
	}
	if got := all["other"].grade(&answer.Answer{Place: load}); got != unjudged {
		t.Errorf("without patterns: %s", got)
	}
}

func TestRows(t *testing.T) {
	trials := []Trial{
		{Case: "a", Given: raw, Grade: hit, Check: casefile.Supported, Place: "f", Seconds: 1, Size: 100},
		{Case: "a", Given: raw, Grade: none, Seconds: 9, Size: 100, Problem: "it has not answered"},
		{Case: "a", Given: raw, Grade: wrong, Check: casefile.Contradicted, Place: "g", Seconds: 3, Size: 100},
		{Case: "a", Given: raw, Grade: hit, Check: casefile.Supported, Place: "f", Seconds: 2, Size: 100,
			Usage: &usage{Input: 70, Cached: 7}},
		{Case: "a", Given: briefed, Grade: hit, Check: casefile.Supported, Place: "f", Seconds: 1, Size: 10},
		{Case: "b", Given: raw, Grade: partial, Check: casefile.Unsupported, Seconds: 4, Size: 300},
	}
	all := rows(trials)
	var names []string
	for _, r := range all {
		names = append(names, r.Case+" "+r.Given)
	}
	if want := []string{"a raw", "b raw", "all raw", "a brief", "all brief"}; !slices.Equal(names, want) {
		t.Fatalf("rows %q, want %q", names, want)
	}
	a := all[0]
	if a.Runs != 4 || a.Grades[hit] != 2 || a.Grades[none] != 1 || a.Checks[casefile.Supported] != 2 || a.Seconds != 2.5 ||
		a.Size != 100 || a.Tokens != 77 || a.Agreement != 0.5 {
		t.Errorf("a: %+v", a)
	}
	if b := all[1]; b.Agreement != -1 || all[2].Agreement != 0.5 || all[2].Runs != 5 {
		t.Errorf("b: %+v, all: %+v", b, all[2])
	}
	var out strings.Builder
	if err := writeTable(&out, all, trials); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(out.String(), "\n"); !strings.Contains(lines[0], "HIT") ||
		!strings.Contains(lines[len(lines)-2], "no answer: it has not answered") {
		t.Errorf("the table is\n%s", out.String())
	}
}
