package main

import (
	"strings"
	"testing"
)

// TestDied: a service that ends by itself is reported with what it printed. One that runs is not.
func TestDied(t *testing.T) {
	p, err := start(t.Context(), nil, "/bin/sh", "-c", "echo no such port >&2; exit 3")
	if err != nil {
		t.Fatal(err)
	}
	<-p.done
	if err := p.died(); err == nil || !strings.Contains(err.Error(), "no such port") {
		t.Errorf("it ended and said why, but: %v", err)
	}
	p, err = start(t.Context(), nil, "/bin/sh", "-c", "exec sleep 60")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.died(); err != nil {
		t.Errorf("it runs and is said to have ended: %v", err)
	}
	p.stop()
	if err := p.died(); err == nil {
		t.Error("it was stopped and is said to run")
	}
}
