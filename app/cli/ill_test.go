package cli_test

import (
	"io"
	"net/http"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// startIll starts a victim that keeps 3 million small objects. It returns the address once the victim has them and its
// heap profile shows them. The profile is of the last finished collection, and on a busy machine none may have finished
// since. A profile of half of the objects, and one of all a little later, would be a leak.
func startIll(t *testing.T) string {
	t.Helper()
	url := start(t, "-objects", "3000000")
	for ill := regexp.MustCompile(`# HeapObjects = ([3-9]\d{6}|\d{8})`); !ill.MatchString(
		fetch(t, url+"/debug/pprof/heap?debug=1")); {
		time.Sleep(50 * time.Millisecond)
	}
	fetch(t, url+"/debug/pprof/heap?gc=1")
	return url
}

// longEnough runs a command that takes a CPU profile of a given length, in a folder of its own, until the command prints
// a finding: while a victim without CPU does not collect its garbage, its objects cost nothing. It returns the folder
// and the output.
func longEnough(t *testing.T, length time.Duration, run func(dir, profile string) result) (dir string, r result) {
	t.Helper()
	for ; ; length *= 4 {
		dir = t.TempDir()
		r = run(dir, length.String())
		if regexp.MustCompile("(?m)"+findingHead.String()).MatchString(r.out) || length > time.Minute {
			return dir, r
		}
	}
}

// codeOf is the exit code for a case's findings: 1 from a warning on. The objects are found at any speed, but whether
// they are a warning depends on how much CPU the victim gets, and on a shared machine no test can know that.
func codeOf(c casefile.Case) int {
	if slices.ContainsFunc(c.Diagnosis.Findings, func(f casefile.Finding) bool { return f.Score >= 50 }) {
		return 1
	}
	return 0
}

// fetch is what a URL answers.
func fetch(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s answered %d, %v", url, resp.StatusCode, err)
	}
	return string(data)
}
