package capturedvar

import (
	"sync"
	"time"
)

type job struct{ run func() }

func work(string) {}

func starts(name string, loud bool) { // want `name moves to the heap: it is assigned again`
	if loud {
		name = name + "!"
	}
	go func() { work(name) }()
}

func counts(n int, out []string) {
	for i := 0; i < n; i++ { // want `i moves to the heap`
		go func() { work(out[i]) }()
	}
}

func later(d time.Duration) *job {
	text := "a" // want `text moves to the heap`
	if d > time.Second {
		text = "b"
	}
	return &job{run: func() { work(text) }}
}

func all(names []string) (jobs []func()) {
	prefix := "" // want `prefix moves to the heap`
	prefix += "x"
	for _, n := range names {
		jobs = append(jobs, func() { work(prefix + n) })
	}
	return jobs
}

func timer(d time.Duration, m map[string]string) {
	v, ok := m["a"] // want `v moves to the heap`
	if !ok {
		v = "none"
	}
	time.AfterFunc(d, func() { work(v) })
}

// What follows is fine.

func copies(name string, loud bool) {
	if loud {
		name = name + "!"
	}
	name2 := name
	go func() { work(name2) }()
	go func(n string) { work(n) }(name)
}

func shared() (err error, n int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		n++
	}()
	wg.Wait()
	n = n + 1
	return err, n
}

func seesLater() {
	stopped := false
	time.AfterFunc(time.Second, func() {
		if stopped {
			work("stopped")
		}
	})
	stopped = true
}

func itself() {
	var t *time.Timer
	t = time.AfterFunc(time.Second, func() { t.Stop() })
}

func inPlace(names []string) {
	total := 0
	total += len(names)
	func() { work(names[total]) }()
	defer func() { work(names[total]) }()
}

func elements(names []string) {
	for _, n := range names {
		go func() { work(n) }()
	}
}

func address(n int) *int {
	n = n + 1
	go func() { work(string(rune(n))) }()
	return &n
}

// The pointer stays the same (coredns plugin/health/health.go:34).
func (j *job) pointee(m map[string]int, names []string) {
	j.run = nil
	m["a"] = 1
	names[0] = "a"
	go func() { j.run(); work(names[m["a"]]) }()
}

func init() {
	name := "a"
	name = name + "b"
	go func() { work(name) }()
}
