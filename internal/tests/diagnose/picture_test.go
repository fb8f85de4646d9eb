package diagnose_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/golden"
)

const picturesFile = "../../../diagnose/testdata/pictures.txt"

// TestPictures locks the picture for the services that were recorded, sick and healthy ones.
func TestPictures(t *testing.T) {
	var b strings.Builder
	for _, dir := range caseFolders(t) {
		if !strings.HasPrefix(dir, "healthy/") && !strings.HasPrefix(dir, "holdout/") &&
			!strings.HasPrefix(dir, "real/") {
			continue
		}
		fmt.Fprintln(&b, dir)
		for _, l := range judged(t, dir).Picture.Lines() {
			fmt.Fprintf(&b, "  %-11s %s\n", l.Name, l.Text)
		}
	}
	if golden.Updating() {
		if err := os.WriteFile(picturesFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(picturesFile)
	if err != nil {
		t.Fatal(err)
	}
	wanted := strings.Split(string(want), "\n")
	for i, line := range strings.Split(b.String(), "\n") {
		if i >= len(wanted) || line != wanted[i] {
			t.Fatalf("line %d of %s: got %q; look at the change, then go test ./internal/tests/diagnose -run TestPictures -update",
				i+1, picturesFile, line)
		}
	}
}

// TestPicture: each line names the program's own places and leaves out what every process has. Where that is most of
// it, the line says so.
func TestPicture(t *testing.T) {
	heap := liveHeap(t, heapLine{"main.(*Cache).put:9 main.serve:4", 1_000_000, 80 << 20, 0},
		heapLine{"main.load:3 main.main:9", 1000, 20 << 20, 0})
	pool := dumpOf(crowd{900, "select", "main.walk:4 main.serve:9", ""}, crowd{1, "chan receive", "main.main:30", ""},
		crowd{40, "IO wait", "net/http.(*conn).serve:1", ""})
	idle := dumpOf(crowd{3, "select", "main.walk:4", ""}, crowd{60, "IO wait", "net/http.(*conn).serve:1", ""})
	for _, tt := range []struct {
		name string
		in   diagnose.Evidence
		want string
	}{
		{"heap", diagnose.Evidence{Name: "heap", Data: heap},
			"heap 100 MiB live: 80 % main.go:9 (*Cache).put, 20 % main.go:3 load"},
		{"cpu", cpuProfile(t, 10, map[string]int64{workStack: 600, gcStack: 300, otherStack: 100}),
			"cpu 1 core: 60 % main.go:1 work, 30 % the garbage collector, 10 % main.go:1 other"},
		{"cpu without a duration", cpuProfile(t, 0, map[string]int64{workStack: 600}),
			"cpu 600 samples: 100 % main.go:1 work"},
		{"hardly any cpu", cpuProfile(t, 100, map[string]int64{workStack: 10}),
			"cpu 0.001 cores, too little to show where"},
		{"a pool", diagnose.Evidence{Name: "g", Data: pool}, "goroutines 941: 900 wait in a select at main.go:4 walk"},
		{"idle connections", diagnose.Evidence{Name: "g", Data: idle},
			"goroutines 63: 3 wait in a select at main.go:4 walk, 60 in the standard library, idle connections and " +
				"the like"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{tt.in}},
				diagnose.Options{}).Picture.Lines()
			if len(lines) != 1 || lines[0].Name+" "+lines[0].Text != tt.want {
				t.Errorf("got %+v, want %q", lines, tt.want)
			}
		})
	}
	if p := diagnose.Run(t.Context(), diagnose.Input{}, diagnose.Options{}).Picture; p != nil {
		t.Errorf("without evidence the picture is %+v, want none", p)
	}
}

// TestPictureShares: places are parts of the total, whatever the evidence, and never more than all of it.
func TestPictureShares(t *testing.T) {
	for _, dir := range caseFolders(t) {
		for _, l := range judged(t, dir).Picture.Lines() {
			sum := 0.0
			for _, p := range l.Places {
				sum += p.Share
			}
			if sum > 1.001 || l.Text == "" || l.File == "" {
				t.Errorf("%s: the places of %s come to %.4f of the total: %+v", dir, l.Name, sum, l.PictureLine)
			}
		}
	}
}
