package server

import (
	"math"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/typescript"
	"github.com/gocasebook/casebook/internal/golden"
)

// The first page draws the CPU of a watched service by minutes, and says it in words.
func TestCoresOf(t *testing.T) {
	no := math.NaN()
	line := coresOf([]float64{no, 0.5, 0, no, 2, 1})
	if line == nil || line.Text != "CPU by minutes of the last hour: 1 core now, 2 cores at most" || line.Width != 24 {
		t.Fatalf("the line is %+v", line)
	}
	want := []rect{{4, 15, 5, ""}, {8, 20, 0, ""}, {16, 0, 20, ""}, {20, 10, 10, ""}}
	if len(line.Bars) != len(want) {
		t.Fatalf("the bars are %v, want %v", line.Bars, want)
	}
	for i, b := range line.Bars {
		if b != want[i] {
			t.Errorf("bar %d is %v, want %v", i, b, want[i])
		}
	}
	for _, none := range [][]float64{nil, {no, no}, {0, 0}} {
		if line := coresOf(none); line != nil {
			t.Errorf("of %v it draws %+v", none, line)
		}
	}
	var b strings.Builder
	page := nowPage{Active: []activityTotal{{}}, Watched: []watchedService{
		{Name: "shop", Targets: 1, CPU: line}, {Name: "cart", Targets: 1}}}
	if err := templates.ExecuteTemplate(&b, "overview.html", page); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), line.Text); n != 1 || strings.Count(b.String(), "<svg") != 1 {
		t.Errorf("the page says it %d times:\n%s", n, b.String())
	}
}

// web/status.ts says in TypeScript what the events of a target are.
func TestStatusTypes(t *testing.T) {
	text, err := typescript.Interfaces("// The live state of a target. Made of package fleet's structs: go test ./server "+
		"-run TestStatusTypes -update.\n", nil, fleet.Status{})
	if err != nil {
		t.Fatal(err)
	}
	golden.Is(t, "web/status.ts", text)
}
