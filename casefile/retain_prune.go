package casefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gocasebook/casebook/internal/flock"
)

// Pruned is what a pruning did, and what is left.
type Pruned struct {
	Removed    []string `json:"removed"`              // IDs, oldest first
	Freed      int64    `json:"freed_bytes"`          // what the removed took
	Cases      int      `json:"cases"`                // left, finished or not
	Bytes      int64    `json:"bytes"`                // what those take: the lengths of all their files
	Unreadable int      `json:"unreadable,omitempty"` // of those left: cannot be read, for a person to look at
	OverBytes  int64    `json:"over_bytes,omitempty"` // by how much Bytes is above MaxBytes: no more may, or could, be removed
}

// Prune removes the oldest finished cases in dir until what is left is within the limits of keep. See Retention for
// what stays in any case. A case that somebody is writing to stays until the next pruning. What Pruned says is good
// whatever the error: that joins one for each case that could not be removed or measured, and the others are not
// removed in its place. A dir that does not exist holds no cases.
func Prune(dir string, keep Retention, now time.Time) (Pruned, error) {
	return prune(dir, keep, now, Remove)
}

// PlanPrune says what Prune would do, and removes nothing.
func PlanPrune(dir string, keep Retention, now time.Time) (Pruned, error) {
	return prune(dir, keep, now, func(string, string) error { return nil })
}

func prune(dir string, keep Retention, now time.Time, remove func(dir, id string) error) (Pruned, error) {
	p := Pruned{Removed: []string{}}
	if err := keep.Validate(); err != nil {
		return p, fmt.Errorf("pruning cases in %q: %w", dir, err)
	}
	var failed []error
	cases, err := p.survey(dir)
	if err != nil {
		failed = append(failed, fmt.Errorf("pruning cases in %q: %w", dir, explain(err)))
	}
	for _, c := range keep.drop(cases, now) {
		err := remove(dir, c.id)
		switch {
		case err == nil:
			p.Removed = append(p.Removed, c.id)
			p.Freed += c.bytes
		case errors.Is(err, fs.ErrNotExist): // another Casebook was quicker
		case errors.Is(err, flock.ErrInUse):
			continue
		default:
			failed = append(failed, err)
			continue
		}
		p.Cases--
		p.Bytes -= c.bytes
	}
	if limit := keep.withDefaults().MaxBytes; limit > 0 {
		p.OverBytes = max(p.Bytes-limit, 0)
	}
	return p, errors.Join(failed...)
}

// survey reads of every case what the decision needs, one case at a time: their case.json may be large. What it
// returns is good whatever the error.
func (p *Pruned) survey(dir string) ([]keepFact, error) {
	list, err := scan(dir)
	if err != nil {
		return nil, err
	}
	var cases []keepFact
	var failed []error
	for _, e := range list {
		c := keepFact{id: e.ID, fixed: e.Unfinished}
		if !e.Unfinished {
			e.load()
			if e.Err != nil && !exists(e.Path) {
				continue // removed, or committed under its final name, since the scan
			}
			c.read(e)
		}
		c.bytes, err = folderBytes(e.Path)
		if err != nil {
			failed = append(failed, fmt.Errorf("measuring case %s: %w", e.ID, err))
		}
		if e.Err != nil {
			p.Unreadable++
		}
		p.Cases++
		p.Bytes += c.bytes
		cases = append(cases, c)
	}
	return cases, errors.Join(failed...)
}

// read takes the facts from a finished case.
func (c *keepFact) read(e Entry) {
	if e.Err != nil {
		c.fixed = true
		return
	}
	c.rule, c.opened = e.Case.Trigger.Rule, e.Case.Opened
	for _, f := range e.Case.Findings {
		c.score = max(c.score, f.Score)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// folderBytes adds up the lengths of all regular files in a folder and below. It follows no links. The sum is of what
// could be read, whatever the error, which is the first.
func folderBytes(path string) (int64, error) {
	var sum int64
	var first error
	note := func(err error) {
		if first == nil && !errors.Is(err, fs.ErrNotExist) { // what has just gone takes no space
			first = err
		}
	}
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error { // the func never stops the walk
		if err != nil {
			note(err)
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			note(err)
			return nil
		}
		sum += info.Size()
		return nil
	})
	return sum, first
}
