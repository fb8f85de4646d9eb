package main

import (
	"context"
	"errors"
	"testing"
	"time"
)

// told is a carrier that answers when it is told to, and says when it is done.
func told(name string, cents int) (ask carrier, answer chan struct{}) {
	answer = make(chan struct{})
	return func(int) quote { <-answer; return quote{name, cents} }, answer
}

func TestFirst(t *testing.T) {
	late, answer := told("late", 100)
	quick := func(grams int) quote { return quote{"quick", 390 + grams} }
	d := &desk{patience: 5 * time.Second, carriers: []carrier{late, quick}}
	q, err := d.first(t.Context(), 100)
	if err != nil || q != (quote{"quick", 490}) {
		t.Errorf("first is %v, %v; wanted the quick one's 490", q, err)
	}
	close(answer) // the late one answers, too, and nobody may mind
	time.Sleep(20 * time.Millisecond)
}

func TestNobody(t *testing.T) {
	late, answer := told("late", 100)
	defer close(answer)
	d := &desk{patience: 5 * time.Millisecond, carriers: []carrier{late}}
	if _, err := d.first(t.Context(), 1); !errors.Is(err, errNone) {
		t.Errorf("the error is %v, wanted %v", err, errNone)
	}
}

func TestCancelled(t *testing.T) {
	late, answer := told("late", 100)
	defer close(answer)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := &desk{patience: 5 * time.Second, carriers: []carrier{late}}
	if _, err := d.first(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, wanted %v", err, context.Canceled)
	}
}
