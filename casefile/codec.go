package casefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Limits on what is read from a folder or a zip that somebody else may have written. A case of 60 findings with 20
// frames each takes 480 KB and 17,000 commas; the largest artefact met so far is an execution trace of 210 MB.
const (
	maxCaseBytes = 4 << 20 // of case.json
	// in case.json: an array of this many empty findings takes 80 MB while it is read (BenchmarkDecode)
	maxCaseCommas       = 50_000
	MaxFileBytes        = 512 << 20 // of one file of a case; larger ones are neither written nor read
	maxTotalBytes int64 = 2 << 30   // of all files of a case
	maxFiles            = 1000      // of evidence in one case
	maxEntries          = 1100      // of all files of a case: evidence, case.json, attachments
)

// Decode reads case.json. It refuses what a newer Casebook wrote, what is larger than 4 MiB, and file names that
// are not plain names inside the folder. Fields it does not know are skipped.
func Decode(data []byte) (Case, error) {
	var c Case
	if err := decode(data, &c); err != nil {
		return Case{}, fmt.Errorf("reading %s: %w", caseName, err)
	}
	return c, nil
}

func decode(data []byte, c *Case) error {
	if len(data) > maxCaseBytes || bytes.Count(data, []byte{','}) > maxCaseCommas {
		return fmt.Errorf("it is larger than a case can be (%d bytes, limits %d bytes and %d commas)",
			len(data), maxCaseBytes, maxCaseCommas)
	}
	// The version first: the fields of a newer schema may have other types.
	var version struct {
		Schema int `json:"schema"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return locate(data, err)
	}
	switch {
	case version.Schema > Schema:
		return fmt.Errorf("written by a newer Casebook (schema %d, this one reads %d): update casebook", version.Schema,
			Schema)
	case version.Schema < 1:
		return errors.New(`it has no "schema" of 1 or above: this is not the case.json of a Casebook`)
	}
	if err := json.Unmarshal(data, c); err != nil {
		return locate(data, err)
	}
	return check(c)
}

// encode is the opposite of Decode: what it returns, Decode reads.
func encode(c *Case) ([]byte, error) {
	out := *c
	fillLists(&out)
	if err := check(&out); err != nil {
		return nil, fmt.Errorf("encoding %s: %w", caseName, err)
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", caseName, err)
	}
	return checkSize(append(data, '\n'))
}

func checkSize(data []byte) ([]byte, error) {
	if len(data) > maxCaseBytes || bytes.Count(data, []byte{','}) > maxCaseCommas {
		return nil, fmt.Errorf("encoding %s: it would have %d bytes, more than a reader accepts (%d bytes, %d commas)",
			caseName, len(data), maxCaseBytes, maxCaseCommas)
	}
	return data, nil
}

// clone returns a copy of c that shares no memory with it.
func clone(c *Case) (Case, error) {
	data, err := encode(c)
	if err != nil {
		return Case{}, err
	}
	return Decode(data)
}

// check holds what a reader may rely on, for reading and for writing alike.
func check(c *Case) error {
	if !ValidID(c.ID) {
		return fmt.Errorf("id %.80q is not the ID of a case", c.ID)
	}
	if c.Schema != Schema {
		return fmt.Errorf("schema is %d, want %d", c.Schema, Schema)
	}
	if len(c.Evidence) > maxFiles {
		return fmt.Errorf("it lists %d files of evidence, the limit is %d", len(c.Evidence), maxFiles)
	}
	names := newNameSet()
	var total int64
	for i := range c.Evidence {
		if err := checkEvidence(&c.Evidence[i], names); err != nil {
			return fmt.Errorf("evidence %d: %w", i+1, err)
		}
		if total += c.Evidence[i].Bytes; total > maxTotalBytes {
			return fmt.Errorf("evidence %d: with it the case has %d bytes, the limit is %d", i+1, total, maxTotalBytes)
		}
	}
	return nil
}

func checkEvidence(e *Evidence, names nameSet) error {
	if err := names.take(e.File); err != nil {
		return err
	}
	if e.Bytes < 1 || e.Bytes > MaxFileBytes {
		return fmt.Errorf("file %s has %d bytes, want 1 to %d", e.File, e.Bytes, MaxFileBytes)
	}
	if len(e.SHA256) != 64 || !isHex(e.SHA256) {
		return fmt.Errorf("file %s: sha256 %.80q is not 64 lower-case hexadecimal digits", e.File, e.SHA256)
	}
	return nil
}

// fillLists makes empty lists of nil ones where the schema promises a list: a reader in another language need not
// expect null. It copies what it changes.
func fillLists(c *Case) {
	fill(&c.Evidence)
	c.Findings = append([]Finding{}, c.Findings...)
	for i := range c.Findings {
		f := &c.Findings[i]
		fill(&f.Where)
		fill(&f.Remedies)
		fill(&f.Evidence)
	}
	c.Causes = slices.Clone(c.Causes)
	for i := range c.Causes {
		fill(&c.Causes[i].Links)
	}
	c.Opinions = slices.Clone(c.Opinions)
	for i := range c.Opinions {
		fill(&c.Opinions[i].Where)
	}
	if c.Proof != nil {
		p := *c.Proof
		fill(&p.Figures)
		c.Proof = &p
	}
	if c.Picture != nil {
		p := *c.Picture
		for _, line := range []**PictureLine{&p.Answers, &p.Heap, &p.CPU, &p.Goroutines} {
			if *line != nil {
				l := **line
				fill(&l.Places)
				*line = &l
			}
		}
		if p.Memory != nil {
			m := *p.Memory
			fill(&m.Rows)
			p.Memory = &m
		}
		p.Tripped = slices.Clone(p.Tripped)
		for i := range p.Tripped {
			fill(&p.Tripped[i].Signals)
			fill(&p.Tripped[i].Places)
		}
		c.Picture = &p
	}
}

func fill[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}

// locate adds the line to an error of encoding/json, which knows only the offset.
func locate(data []byte, err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	var offset int64
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &mismatch):
		offset = mismatch.Offset
	default:
		return err
	}
	before := data[:min(max(offset, 0), int64(len(data)))]
	return fmt.Errorf("line %d: %w", 1+bytes.Count(before, []byte{'\n'}), err)
}
