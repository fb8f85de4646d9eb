package stagetest

import (
	"sync"
	"testing"
)

// A View writes progress into the test's log, and lets a test act on it.
type View struct {
	TB         testing.TB
	OnStep     func(n int) // called with the number of each step, from 1; nil: nothing is done
	OnProgress func()      // nil: nothing is done

	mu    sync.Mutex // guards steps
	steps int
}

// Step is told of a phase that begins.
func (v *View) Step(text string) {
	v.TB.Log(text)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.steps++
	if v.OnStep != nil {
		v.OnStep(v.steps)
	}
}

// Say is told of what happened.
func (v *View) Say(text string) { v.TB.Log("  " + text) }

// Progress is told how it stands; it does not go into the log.
func (v *View) Progress(string) {
	if v.OnProgress != nil {
		v.OnProgress()
	}
}
