package tables

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestIdleLeft: workers that wait for a time without work are gone after it, the others stay.
func TestIdleLeft(t *testing.T) {
	want := map[string]int{waitsTask: 50, waitsContext: 50, waitsTimer: 0, waitsAfter: 0, waitsLooked: 0}
	for _, f := range idleForms() {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				left, err := f.leftAfter(t.Context(), 50, idleRestTime)
				if err != nil || left != want[f.name] {
					t.Errorf("%d of 50 workers are left, %v; want %d", left, err, want[f.name])
				}
			})
		})
	}
}

// TestIdleWorkersReturn gives tasks with rests that end all workers: each task is done once.
func TestIdleWorkersReturn(t *testing.T) {
	for _, f := range idleForms() {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				done := make([]int, 3*idleLimit)
				c := crew{form: f, limit: idleLimit, idle: idleRestTime, do: func(i int) { done[i]++ }}
				c.with(t.Context(), func() {
					for i := range done {
						if i%idleLimit == 0 {
							time.Sleep(10 * idleRestTime) // of the bubble
						}
						c.give(i)
					}
				})
				for i, n := range done {
					if n != 1 {
						t.Fatalf("task %d was done %d times", i, n)
					}
				}
			})
		})
	}
}

func TestIdleHolds(t *testing.T) {
	rs := []restedForm{{"task", 100, 1000}, {"task, context", 110, 1000}, {"timer", 200, 0}, {"looked after", 105, 3}}
	want := "Still true: the workers end. Beside those that stay (1000 left), a task is: timer 2 times slower and " +
		"looked after as fast. The cheapest is looked after."
	if got := idleHolds(rs); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := idleHolds(rs[:2]), "No longer true: no form's workers end."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
