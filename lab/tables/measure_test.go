package tables

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// counts is a contestant that computes n times step.
func counts(name string, step uint64, calls *[]string) contestant {
	return contestant{name, func(n int) (uint64, error) {
		*calls = append(*calls, name)
		return uint64(n) * step, nil
	}}
}

func TestMeasureWantsTheSameResult(t *testing.T) {
	var calls []string
	_, err := pace{turns: 1}.measure(t.Context(), []contestant{counts("one", 1, &calls), counts("two", 2, &calls)})
	if err == nil || !strings.Contains(err.Error(), "two computed 200, but one 100") {
		t.Errorf("measuring contestants that differ: %v", err)
	}
}

func TestMeasureFails(t *testing.T) {
	broken := errors.New("broken")
	_, err := pace{turns: 1}.measure(t.Context(), []contestant{{"it", func(int) (uint64, error) { return 0, broken }}})
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "it: ") {
		t.Errorf("measuring a contestant that fails: %v", err)
	}
}

func TestInTurns(t *testing.T) {
	var order strings.Builder
	cs := []contestant{{name: "a"}, {name: "b"}, {name: "c"}}
	costs, err := inTurns(t.Context(), 4, cs, func(i int) (cost, error) {
		order.WriteString(cs[i].name)
		return cost{cpu: float64(i)}, nil
	})
	if err != nil || order.String() != "abcbcacababc" {
		t.Errorf("order %s, %v; want abcbcacababc", &order, err)
	}
	for i := range cs {
		if len(costs[i]) != 4 || costs[i][3].cpu != float64(i) {
			t.Errorf("costs of %s: %v, want four of its own", cs[i].name, costs[i])
		}
	}
}

func TestMiddleOf(t *testing.T) {
	var costs []cost
	for _, v := range []float64{30, 10, 50, 20, 40} {
		costs = append(costs, cost{cpu: v})
	}
	for _, tt := range []struct {
		name  string
		costs []cost
		want  middle
	}{
		{"odd", costs, middle{30, 1.0 / 3}},
		{"even", costs[:4], middle{25, 0.35}},
		{"one", costs[:1], middle{30, 0}},
		{"nothing", []cost{{}}, middle{0, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := middleOf(tt.costs, cpuOf)
			if got.median != tt.want.median || math.Abs(got.spread-tt.want.spread) > 1e-9 {
				t.Errorf("middleOf = %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestPaceOf(t *testing.T) {
	for _, tt := range []struct {
		o    Options
		want pace
	}{
		{Options{}, pace{turn: 70 * time.Millisecond, turns: 10}},
		{Options{Measure: 3 * time.Second}, pace{turn: 300 * time.Millisecond, turns: 10}},
		{Options{Quick: true, Measure: time.Hour}, pace{quick: true, turn: time.Millisecond, turns: 2}},
	} {
		if got := paceOf(tt.o); got != tt.want {
			t.Errorf("paceOf(%+v) = %+v, want %+v", tt.o, got, tt.want)
		}
	}
}
