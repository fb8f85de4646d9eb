package main

import (
	"fmt"
	"slices"
	"testing"
)

func filled(cents ...int) *auction {
	a := &auction{}
	for i, c := range cents {
		a.add(fmt.Sprint("b", i), c)
	}
	return a
}

func bidders(bids []bid) (names []string) {
	for _, b := range bids {
		names = append(names, b.bidder)
	}
	return names
}

func TestBest(t *testing.T) {
	a := filled(5, 90, 30, 90, 1, 2, 3, 4, 70, 60, 50, 40, 6, 7)
	want := []string{"b1", "b3", "b8", "b9", "b10", "b11", "b2", "b13", "b12", "b0"}
	if got := bidders(a.best()); !slices.Equal(got, want) {
		t.Errorf("the best are %v, wanted %v", got, want)
	}
	if got := bidders(filled(3, 9).best()); !slices.Equal(got, []string{"b1", "b0"}) {
		t.Errorf("of two bids the best are %v", got)
	}
	if got := filled().best(); len(got) != 0 {
		t.Errorf("of no bids the best are %v", got)
	}
}

func TestLastAfterBest(t *testing.T) {
	a := filled(5, 90, 30)
	a.best()
	if got := bidders(a.last()); !slices.Equal(got, []string{"b2", "b1", "b0"}) {
		t.Errorf("the last are %v, wanted the newest first", got)
	}
}
