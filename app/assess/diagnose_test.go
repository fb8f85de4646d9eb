package assess_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/casefile"
)

// dump is a profile of this process's goroutines.
func dump(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 0); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// write writes a file into a folder and returns its path.
func write(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Of a folder with more files than anybody's evidence has, the first are read, and the rest is named.
func TestDiagnoseBoundsAFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pb.gz", dump(t))
	for i := range 10_001 {
		write(t, dir, fmt.Sprintf("b%05d", i), nil)
	}
	got, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Report.Read) != 1 || len(got.Failed) != 1 || !strings.Contains(got.Failed[0].Error(), "more than 10000 files") {
		t.Errorf("read %d, failed: %v; want the profile, and that there are too many files", len(got.Report.Read), got.Failed)
	}
}

// What can be read is diagnosed, and what cannot is listed in the result.
func TestDiagnose(t *testing.T) {
	dir := t.TempDir()
	good := write(t, dir, "goroutine.pb.gz", dump(t))
	write(t, dir, "notes.txt", []byte("no evidence"))
	var leftOut []string
	got, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{
		What: []string{dir, filepath.Join(dir, "missing.pb.gz"), "-"}, Stdin: bytes.NewReader(dump(t)),
		LeftOut: func(ofBase bool, files []string) {
			if ofBase {
				t.Errorf("the files %v are said to be of a base", files)
			}
			leftOut = append(leftOut, files...)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Report.Read) != 2 || got.Report.Read[0].Name != good || got.Report.Read[1].Name != "standard input" {
		t.Errorf("read %+v, want the profile and standard input", got.Report.Read)
	}
	if len(got.Failed) != 1 || !strings.Contains(got.Failed[0].Error(), "missing.pb.gz: no such file or folder") {
		t.Errorf("failed: %v, want the missing file", got.Failed)
	}
	if len(leftOut) != 1 || !strings.HasSuffix(leftOut[0], "notes.txt") {
		t.Errorf("left out: %v, want notes.txt", leftOut)
	}
	data, err := json.Marshal(got)
	if err != nil || strings.Contains(string(data), "null") || !strings.HasPrefix(string(data), `{"schema":`) ||
		strings.Contains(string(data), "comparison") {
		t.Errorf("as JSON it is %.200s (%v); want lists, and no comparison", data, err)
	}
}

func TestDiagnoseWithBase(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "goroutine.pb.gz", dump(t))
	got, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: []string{file}, Base: []string{file}})
	if err != nil || got.Comparison == nil || got.Worst() != 0 {
		t.Errorf("a profile beside itself: %+v, %v; want a comparison without anything worse", got, err)
	}
	var none *assess.NoBaseError
	_, err = assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: []string{file},
		Base: []string{dir + "/missing"}})
	if !errors.As(err, &none) || len(none.Failed) != 1 {
		t.Errorf("a base that is not there: %v, want a NoBaseError with the reason", err)
	}
}

// A folder with several cases is not diagnosed as one.
func TestDiagnoseManyCases(t *testing.T) {
	dir := t.TempDir()
	for i := range 2 {
		w, err := casefile.Dir(dir).Create(casefile.Case{Opened: time.Now().Add(time.Duration(i) * time.Second)})
		if err == nil {
			_, err = w.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	var many *assess.ManyCasesError
	if len(got.Failed) != 1 || !errors.As(got.Failed[0], &many) || len(many.Cases) != 2 {
		t.Errorf("failed: %v, want a ManyCasesError with two", got.Failed)
	}
}
