package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// fill writes n cases of a rule into a folder, a minute apart, without waiting for the disk as a watch would: that
// would take minutes, and is not what is measured.
func fill(dir string, n int) error {
	began := time.Now().Add(-time.Duration(n) * time.Minute).UTC().Truncate(time.Second)
	for i := range n {
		if err := write(dir, began.Add(time.Duration(i)*time.Minute), i); err != nil {
			return err
		}
	}
	return nil
}

// write makes one case: four small files of evidence, three findings, a page.
func write(dir string, opened time.Time, i int) error {
	c := casefile.Case{
		Schema: casefile.Schema, ID: casefile.NewID(opened, "gc-cpu"), Tool: "bench", Opened: opened,
		Closed: opened.Add(time.Minute),
		Target: casefile.Target{Name: "shop", URL: "http://127.0.0.1:6060", PID: 4711},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Time: opened, Text: "gc_cpu was 31 %, above 25 % for 5s",
			Signal: "gc_cpu", Value: 0.31, Unit: "share"},
	}
	path := filepath.Join(dir, c.ID)
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	for _, kind := range []string{casefile.CPU, casefile.Heap, casefile.Goroutine, casefile.Mutex} {
		data := []byte(strings.Repeat(fmt.Sprintln(kind, i), 50))
		sum := sha256.Sum256(data)
		c.Evidence = append(c.Evidence, casefile.Evidence{
			File: kind + ".pb.gz", Kind: kind, Phase: casefile.During, Taken: opened, Bytes: int64(len(data)),
			SHA256: hex.EncodeToString(sum[:]),
		})
		if err := os.WriteFile(filepath.Join(path, kind+".pb.gz"), data, 0o600); err != nil {
			return err
		}
	}
	for j := range 3 {
		c.Findings = append(c.Findings, finding(i, j))
	}
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(path, "case.json"), data, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(path, "report.html"), make([]byte, 20_000), 0o600)
}

// finding is about as long as the detectors' own.
func finding(i, j int) casefile.Finding {
	f := casefile.Finding{
		ID: fmt.Sprintf("GC%03d", j), Kind: "gc-pointer-heap",
		Title: "The garbage collector follows 40 million pointers of one cache",
		Score: (i*7 + j*13) % 100, Confidence: 0.9, Summary: strings.Repeat("The collector takes 31 % of the CPU. ", 4),
		Explanation: strings.Repeat("Each cycle follows every pointer that is live. ", 20),
	}
	for k := range 8 {
		f.Where = append(f.Where, casefile.Frame{Function: "example.org/shop/cache.(*Store).Put",
			File: "/src/shop/cache/store.go", Line: 40 + k, Share: 0.1})
	}
	return f
}
