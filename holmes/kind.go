package holmes

import "github.com/gocasebook/casebook/vitals"

// A kind is one of the five things that holmes judges.
type kind int

// The kinds, in the order in which they are judged.
const (
	mem kind = iota
	cpu
	thread
	goroutine
	gcHeap
	numKinds
)

// A kindText is what a kind is called.
type kindText struct {
	check   string // in file names and log lines
	profile string // pprof's name of what is dumped
	rule    string // the rule of the watch
	alert   string // the tag of its log lines
	event   string // prefix of its event IDs; "" for none
	limit   string // in the name of the signal that is the limit of a rise
}

var kindTexts = [numKinds]kindText{
	mem:       {"mem", "heap", "holmes-mem", "holmes.memory", "", "rss"},
	cpu:       {"cpu", "cpu", "holmes-cpu", "holmes.cpu", "", "cpu"},
	thread:    {"thread", "threadcreate", "holmes-thread", "holmes.thread", "thr", "threads"},
	goroutine: {"goroutine", "goroutine", "holmes-goroutine", "holmes.goroutine", "", "goroutines"},
	gcHeap:    {"GCHeap", "heap", "holmes-gcheap", "holmes.gcheap", "heap", "live_heap"},
}

// signal is the name of what the kind judges.
func (k kind) signal() string {
	switch k {
	case mem:
		return vitals.RSS.String()
	case cpu:
		return vitals.CPU.String()
	case thread:
		return vitals.Threads.String()
	case goroutine:
		return vitals.Goroutines.String()
	}
	return liveHeap
}

// kindOf finds the kind whose rule has this name.
func kindOf(rule string) (kind, bool) {
	for k := range numKinds {
		if kindTexts[k].rule == rule {
			return k, true
		}
	}
	return 0, false
}
