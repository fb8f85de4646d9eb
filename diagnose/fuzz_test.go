package diagnose

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzRun: two files of any content give findings that hold together; no detector breaks on them.
func FuzzRun(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*/*/*.gz")
	if err != nil {
		f.Fatal(err)
	}
	for i, file := range seeds {
		a, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		b, err := os.ReadFile(seeds[(i+1)%len(seeds)])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a, b)
	}
	f.Add([]byte(`{"schema":1,"units":{}}`+"\n"+`{"t":"2026-11-21T13:25:12.001Z","cpu":0.42,"goroutines":57}`), []byte("<html>"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		rep := Run(t.Context(), Input{Evidence: []Evidence{{Name: "a", Data: a}, {Name: "b", Data: b}}})
		if len(rep.Failed) > 0 {
			t.Fatalf("detectors failed: %v", rep.Failed)
		}
		for _, fd := range rep.Findings {
			if fd.Score < 25 || fd.Score > 100 || fd.Confidence < 0 || fd.Confidence > 1 || len(fd.Where) == 0 || fd.Impact.Share < 0 || fd.Impact.Share > 1 {
				t.Fatalf("%s: score %d, confidence %v, %d places, impact %v", fd.ID, fd.Score, fd.Confidence, len(fd.Where), fd.Impact.Share)
			}
		}
	})
}
