// Package history keeps what benchmarks took, commit by commit, and finds where that changed.
//
// The problem: a gate compares a change with its base. A loss of 1 % a week passes every gate, and after half a year
// nobody knows which of 300 commits did it. The approach: a run on the main branch appends one record, with the shares
// of the functions in the benchmark's profile, to a branch of the repository that has nothing else. Records of one
// machine are series; where a series changes its level (changes), the profiles of both sides say which functions moved,
// and git says which commits between them touched those.
//
// Limits: machines that differ cannot be compared, and what CI calls a machine may be many. A level that changed within
// the last three records is not seen yet. A cost that grows a little with each commit is found as one step or a few. A
// function that was inlined has its cost in its caller.
package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/app/gate"
)

// schema is the version of the form of a record.
const schema = 1

// A Record is one line: what a revision took on a machine.
type Record struct {
	Schema     int         `json:"schema"`
	Time       time.Time   `json:"time"`
	Commit     string      `json:"commit"` // the whole hash
	Machine    Machine     `json:"machine"`
	Go         string      `json:"go"` // that built it: "go1.26.3"
	Functions  []Function  `json:"functions,omitempty"`
	Benchmarks []Benchmark `json:"benchmarks"`
}

// A Machine is where it was measured.
type Machine struct {
	ID   string `json:"id"` // series are of one: by default the rest of these fields
	CPU  string `json:"cpu,omitempty"`
	CPUs int    `json:"cpus"`
	OS   string `json:"os"` // "linux/amd64"
}

// A Function is one that benchmarks refer to, so that its name stands in the record once.
type Function struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"` // as the build named it
}

// A Benchmark is what one took.
type Benchmark struct {
	Name    string   `json:"name"` // package and name, without the number of CPUs
	Figures []Figure `json:"figures"`
}

// A Figure is one of a benchmark.
type Figure struct {
	Name  string  `json:"name"` // "time", "allocs", "bytes", or the benchmark's own
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Parts []Part  `json:"parts,omitempty"`
}

// A Part is the share of a function of the record: [index, share].
type Part struct {
	Function int
	Share    float64
}

// MarshalJSON writes three digits of the share: a profile of a second has no more.
func (p Part) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%d,%s]", p.Function, strconv.FormatFloat(p.Share, 'g', 3, 64)), nil
}

// UnmarshalJSON reads it.
func (p *Part) UnmarshalJSON(data []byte) error {
	var pair [2]float64
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	p.Function, p.Share = int(pair[0]), pair[1]
	return nil
}

// of makes a record of what was measured.
func (r *Record) of(s *gate.Snapshot) {
	index := make(map[string]int)
	for _, b := range s.Benchmarks {
		one := Benchmark{Name: b.Subject}
		for _, l := range b.Figures {
			f := Figure{Name: l.Name, Unit: l.Unit, Value: l.Value}
			for _, p := range l.Functions {
				i, seen := index[p.Function]
				if !seen {
					i, index[p.Function] = len(r.Functions), len(r.Functions)
					r.Functions = append(r.Functions, Function{p.Function, p.File})
				}
				f.Parts = append(f.Parts, Part{i, p.Share})
			}
			one.Figures = append(one.Figures, f)
		}
		r.Benchmarks = append(r.Benchmarks, one)
	}
}

// costs are what each function has of a figure, in the figure's unit.
func (r *Record) costs(f *Figure) map[string]float64 {
	out := make(map[string]float64, len(f.Parts))
	for _, p := range f.Parts {
		out[r.Functions[p.Function].Name] += p.Share * f.Value
	}
	return out
}

// file returns where the build had a function; "" if the record does not know.
func (r *Record) file(function string) string {
	for _, f := range r.Functions {
		if f.Name == function {
			return f.File
		}
	}
	return ""
}

// check says what is wrong with a record that somebody else may have written.
func (r *Record) check() error {
	switch {
	case r.Schema != schema:
		return fmt.Errorf("it has the form %d, and this casebook reads %d", r.Schema, schema)
	case r.Commit == "", r.Time.IsZero(), r.Machine.ID == "":
		return fmt.Errorf("it lacks its commit, time or machine")
	}
	for _, b := range r.Benchmarks {
		for _, f := range b.Figures {
			if math.IsNaN(f.Value) || math.IsInf(f.Value, 0) {
				return fmt.Errorf("%s of %s is no number", f.Name, b.Name)
			}
			for _, p := range f.Parts {
				if p.Function < 0 || p.Function >= len(r.Functions) {
					return fmt.Errorf("%s of %s names a function that is not there", f.Name, b.Name)
				}
			}
		}
	}
	return nil
}

// maxLine bounds a record: 1,000 benchmarks are less.
const maxLine = 32 << 20

// parse reads the records of a file. What cannot be read is named, and the rest is read.
func parse(name string, data []byte) (records []Record, bad []string) {
	in := bufio.NewScanner(bytes.NewReader(data))
	in.Buffer(nil, maxLine)
	for line := 1; in.Scan(); line++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var r Record
		err := json.Unmarshal(in.Bytes(), &r)
		if err == nil {
			err = r.check()
		}
		if err != nil {
			bad = append(bad, fmt.Sprintf("%s:%d: %v", name, line, err))
			continue
		}
		records = append(records, r)
	}
	if err := in.Err(); err != nil {
		bad = append(bad, fmt.Sprintf("%s: %v", name, err))
	}
	return records, bad
}
