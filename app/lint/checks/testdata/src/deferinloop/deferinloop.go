package deferinloop

import (
	"os"
	"sync"
)

func read(names []string) error {
	for _, n := range names {
		f, err := os.Open(n)
		if err != nil {
			return err
		}
		defer f.Close() // want `this runs only when the function ends`
	}
	return nil
}

func inBranch(names []string) {
	for i := 0; i < len(names); i++ {
		if f, err := os.Open(names[i]); err == nil {
			defer f.Close() // want `this runs only when the function ends`
		}
	}
}

func inSwitch(names []string) {
	for _, n := range names {
		switch f, err := os.Open(n); {
		case err == nil:
			defer func() { f.Close() }() // want `this runs only when the function ends`
		}
	}
}

// What follows is fine.

func inFunction(names []string) {
	for _, n := range names {
		func() {
			f, err := os.Open(n)
			if err == nil {
				defer f.Close()
			}
		}()
	}
}

func first(names []string) *os.File {
	for _, n := range names {
		f, err := os.Open(n)
		if err != nil {
			continue
		}
		defer f.Close()
		return f
	}
	return nil
}

func found(names []string) {
	for _, n := range names {
		if n == "a" {
			f, _ := os.Open(n)
			defer f.Close()
			break
		}
	}
}

func two() {
	for _, n := range []string{"a", "b"} {
		f, _ := os.Open(n)
		defer f.Close()
	}
}

func shards(all []*sync.Mutex) {
	for _, mu := range all {
		mu.Lock()
		defer mu.Unlock()
	}
}

func init() {
	for range 3 {
		defer println()
	}
}

func apply(change func(int), all []int) {
	for _, n := range all {
		defer change(n) // at the end is what is meant
	}
}
