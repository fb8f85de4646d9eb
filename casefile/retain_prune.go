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
	// by how much Bytes is above MaxBytes: no more may, or could, be removed
	OverBytes int64 `json:"over_bytes,omitempty"`
}

// Prune removes the oldest finished cases in dir until what is left is within the limits of keep. See Retention for
// what stays in any case. A case that somebody is writing to, or is diagnosing, drawing or telling of, stays until the
// next pruning. What Pruned says is good whatever the error: that joins one for each case that could not be removed or
// measured, and the others are not removed in its place. A dir that does not exist holds no cases.
func (d Dir) Prune(keep Retention, now time.Time) (Pruned, error) {
	return prune(string(d), keep, now, removeFolders)
}

// PlanPrune says what Prune would do, and removes nothing.
func (d Dir) PlanPrune(keep Retention, now time.Time) (Pruned, error) {
	return prune(string(d), keep, now, func(_ string, paths []string) []error { return make([]error, len(paths)) })
}

func prune(dir string, keep Retention, now time.Time, remove func(dir string, paths []string) []error) (Pruned, error) {
	p := Pruned{Removed: []string{}}
	if err := keep.Validate(); err != nil {
		return p, fmt.Errorf("pruning cases in %q: %w", dir, err)
	}
	var failed []error
	cases, err := p.survey(dir)
	if err != nil {
		failed = append(failed, fmt.Errorf("pruning cases in %q: %w", dir, explain(err)))
	}
	if drop := keep.Drop(cases, now); len(drop) > 0 {
		failed = append(failed, p.remove(dir, drop, remove)...)
	}
	if limit := keep.withDefaults().MaxBytes; limit > 0 {
		p.OverBytes = max(p.Bytes-limit, 0)
	}
	return p, errors.Join(failed...)
}

// remove removes cases and notes what became of each.
func (p *Pruned) remove(dir string, drop []Keepsake, remove func(dir string, paths []string) []error) []error {
	paths := make([]string, len(drop))
	for i, c := range drop {
		paths[i] = c.path
	}
	var failed []error
	for i, err := range remove(filepath.Dir(paths[0]), paths) {
		c := drop[i]
		switch {
		case err == nil:
			p.Removed = append(p.Removed, c.ID)
			p.Freed += c.Bytes
		case errors.Is(err, fs.ErrNotExist): // another Casebook was quicker
		case errors.Is(err, flock.ErrInUse):
			continue
		default:
			failed = append(failed, fmt.Errorf("removing case %.100q from %q: %w", c.ID, dir, explain(err)))
			continue
		}
		p.Cases--
		p.Bytes -= c.Bytes
	}
	return failed
}

// survey takes of every case what the decision needs. What it returns is good whatever the error.
func (p *Pruned) survey(dir string) ([]Keepsake, error) {
	var cases []Keepsake
	unmeasured, err := walkSummaries(dir, time.Now(), func(s Summary) bool {
		cases = append(cases, factOf(s))
		if s.Err != nil && !s.Unfinished {
			p.Unreadable++
		}
		p.Cases++
		p.Bytes += s.Bytes
		return true
	})
	return cases, errors.Join(unmeasured, err)
}

// factOf is what counts of a case. An imported one is as old as its import.
func factOf(s Summary) Keepsake {
	c := Keepsake{
		ID: s.ID, path: s.Path, Bytes: s.Bytes, Fixed: s.Unfinished || s.Err != nil,
		Since: s.Opened, Scores: map[string]int{s.Rule: s.Worst}, Imported: !s.Imported.IsZero(),
	}
	if c.Imported {
		c.Since = s.Imported
	}
	return c
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
