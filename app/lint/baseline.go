package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/openfile"
)

// A Baseline has the reports that are known, so that only new ones count. A report is known by its check, its file from
// the folder of the run, and the text of its line: code that moves stays known, a line that is changed does not.
type Baseline struct {
	Schema int          `json:"schema"`
	Known  []KnownEntry `json:"known"`
}

// A KnownEntry is one line that a check reports, Count times if the file has it more than once.
type KnownEntry struct {
	Check string `json:"check"`
	File  string `json:"file"` // slash-separated
	Text  string `json:"text"`
	Count int    `json:"count"`
}

const (
	baselineSchema = 1
	maxBaseline    = 64 << 20 // bytes; a line of a report has some 200
)

// ReadBaseline reads a baseline's file.
func ReadBaseline(file string) (*Baseline, error) {
	data, err := openfile.ReadBounded(file, maxBaseline)
	if err != nil {
		return nil, fmt.Errorf("reading the baseline: %w", err)
	}
	var b Baseline
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&b); err != nil {
		return nil, fmt.Errorf("reading the baseline %s: %w", file, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading the baseline %s: something follows it", file)
	}
	if b.Schema != baselineSchema {
		return nil, fmt.Errorf("reading the baseline %s: it has schema %d, and this Casebook knows %d; write it again "+
			"with --write-baseline", file, b.Schema, baselineSchema)
	}
	return &b, nil
}

// BaselineOf is the baseline that knows all that a run lists.
func BaselineOf(res *Result) *Baseline {
	counts := make(map[KnownEntry]int)
	for _, r := range res.All {
		if !res.Heat || r.Share >= MinShare {
			counts[keyOf(&r, res.Root)]++
		}
	}
	b := &Baseline{Schema: baselineSchema, Known: []KnownEntry{}}
	for e, n := range counts {
		e.Count = n
		b.Known = append(b.Known, e)
	}
	slices.SortFunc(b.Known, func(a, b KnownEntry) int {
		return strings.Compare(a.File+"\x00"+a.Check+"\x00"+a.Text, b.File+"\x00"+b.Check+"\x00"+b.Text)
	})
	return b
}

// Write writes the baseline, in one step.
func (b *Baseline) Write(file string) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(b)
	if err == nil {
		err = os.WriteFile(file+".part", out.Bytes(), 0o644)
	}
	if err == nil {
		err = os.Rename(file+".part", file)
	}
	if err != nil {
		_ = os.Remove(file + ".part") // the first error is the one to report
		return fmt.Errorf("writing the baseline: %w", err)
	}
	return nil
}

func keyOf(r *Report, root string) KnownEntry {
	file := r.File
	if rel, err := filepath.Rel(root, file); err == nil {
		file = rel
	}
	return KnownEntry{Check: r.Check, File: filepath.ToSlash(file), Text: r.Text}
}

// A remaining is what of a baseline no report has used up yet.
type remaining struct {
	root string
	left map[KnownEntry]int
}

func (b *Baseline) begin(root string) remaining {
	r := remaining{root, make(map[KnownEntry]int)}
	if b == nil {
		return r
	}
	for _, e := range b.Known {
		n := max(e.Count, 1)
		e.Count = 0
		r.left[e] += n
	}
	return r
}

// takes reports whether a report is known.
func (l remaining) takes(r *Report) bool {
	key := keyOf(r, l.root)
	if l.left[key] == 0 {
		return false
	}
	l.left[key]--
	return true
}
