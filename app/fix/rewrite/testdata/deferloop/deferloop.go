// Package deferloop closes late.
package deferloop

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
)

func sizes(names []string) (all int, err error) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		if err != nil {
			return 0, fmt.Errorf("reading %s: %w", name, err)
		}
		all += len(data)
	}
	return all, nil
}

func lines(names []string) (n int) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			if s.Text() == "" {
				continue
			}
			n++
		}
	}
	return n
}

func lines2(names []string) (n int) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		defer f.Close()
		s := bufio.NewScanner(f)
		for s.Scan() {
			if s.Text() == "end" {
				break
			}
			n++
		}
	}
	return n
}

// first may return without an error.
func first(names []string) (string, error) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		if len(data) > 0 {
			return string(data), err
		}
	}
	return "", nil
}

// some ends the loop.
func some(names []string) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			break
		}
		defer f.Close()
		io.Copy(io.Discard, f)
	}
}

// open keeps the files.
func open(names []string) (out []*os.File, err error) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		out = append(out, f)
	}
	return out, nil
}

// together locks all.
func together(all []*sync.Mutex, do func()) {
	for _, mu := range all {
		mu.Lock()
		defer mu.Unlock()
	}
	do()
}

// given is closed while others read it.
func given(names []string, read func(io.Reader)) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		defer f.Close()
		read(f)
	}
}

// later reads it when the turn is over.
func later(names []string) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		defer f.Close()
		go func() { io.Copy(io.Discard, f) }()
	}
}
