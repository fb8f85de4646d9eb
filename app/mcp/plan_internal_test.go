package mcp

import (
	"log/slog"
	"testing"
	"time"
)

// A plan expires, is handed out once, and is not what its maker still holds.
func TestDesk(t *testing.T) {
	d, now := newDesk(slog.New(slog.DiscardHandler)), time.Now()
	p, err := d.put(Plan{Argv: []string{"a", "b"}}, now)
	if err != nil {
		t.Fatal(err)
	}
	p.Argv[1] = "changed"
	got, err := d.take(p.ID, now.Add(planLife-time.Second))
	if err != nil || got.Argv[1] != "b" {
		t.Errorf("%+v, %v; want the plan as it was made", got, err)
	}
	if _, err := d.take(p.ID, now); err == nil {
		t.Error("a plan was handed out twice")
	}
	if p, err = d.put(Plan{}, now); err != nil {
		t.Fatal(err)
	}
	if _, err := d.take(p.ID, now.Add(planLife)); err == nil {
		t.Error("a plan that had expired was handed out")
	}
	for range mostPlans {
		if _, err := d.put(Plan{}, now); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.put(Plan{}, now); err == nil {
		t.Errorf("there is room for more than %d plans", mostPlans)
	}
	if _, err := d.put(Plan{}, now.Add(planLife)); err != nil {
		t.Errorf("plans that have expired take room: %v", err)
	}
}

func TestFitEnds(t *testing.T) {
	var rows []any
	for range 1000 {
		rows = append(rows, map[string]any{"a": []int{1, 2, 3}, "b": "some text"})
	}
	tree, cut, err := fit(map[string]any{"rows": rows}, 60, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tree.(map[string]any)["rows"].([]any)); n == 0 || n > 30 {
		t.Errorf("%d rows are left; cut: %q", n, cut)
	}
	if _, _, err := fit(map[string]any{"text": string(make([]byte, 5000))}, 60, 1000); err == nil {
		t.Error("a text that is larger than an answer fits one")
	}
}
