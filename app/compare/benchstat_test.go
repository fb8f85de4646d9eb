package compare

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/perf/benchmath"
)

// TestAsBenchstat: every number of benchstat is in our report: centers, intervals, changes, p and geomeans, on the test
// data of benchstat and of its parser.
func TestAsBenchstat(t *testing.T) {
	dir := perfFolder(t)
	benchstat := filepath.Join(t.TempDir(), "benchstat")
	run(t, "go", "build", "-o", benchstat, "golang.org/x/perf/cmd/benchstat")
	own, bent, files := filepath.Join(dir, "cmd/benchstat/testdata"), filepath.Join(dir, "benchfmt/testdata/bent"),
		filepath.Join(dir, "benchfmt/testdata/files")
	for _, c := range []struct {
		name  string
		dir   string
		opt   Options
		files []string
		least int // numbers that must have been compared
	}{
		{"old and new", own, Options{}, []string{"old.txt", "new.txt"}, 9},
		{"one file", own, Options{Row: ".name"}, []string{"new.txt"}, 1},
		{"columns by format", own, Options{Col: "/format"}, []string{"new.txt"}, 4},
		{"crc, split by note", own, Options{}, []string{"crc-old.txt", "crc-new.txt"}, 100},
		{"crc", own, Options{Ignore: "note"}, []string{"crc-old.txt", "crc-new.txt"}, 300},
		{"crc, three columns", own, Options{Filter: "/align:0", Row: "/size", Col: "/poly"}, []string{"crc-new.txt"},
			60},
		{"crc, another level", own, Options{Ignore: "note", Alpha: 0.001}, []string{"crc-old.txt", "crc-new.txt"}, 300},
		{"units", own, Options{Col: "note"}, []string{"units.txt"}, 6},
		{"zero", own, Options{Col: "note"}, []string{"zero.txt"}, 30},
		{"small sample", own, Options{Col: "note"}, []string{"smallSample.txt"}, 4},
		{"issue 19565", own, Options{Col: "note"}, []string{"issue19565.txt"}, 8},
		{"issue 19634", own, Options{Col: "note"}, []string{"issue19634.txt"}, 4},
		{"bent sizes", bent, Options{}, []string{"20200101T024818.BaseNl.benchsize", "20200101T024818.TipNl.benchsize"},
			300},
		{"bent builds", bent, Options{}, []string{"20200101T030626.Basel.build", "20200101T030626.Tipl.build"}, 300},
		{"bent dwarf", bent, Options{}, []string{"20200101T213604.Base.benchdwarf", "20200101T213604.Tip.benchdwarf"},
			300},
		{"bent runs", bent, Options{}, []string{"20200101T213604.Base.stdout", "20200101T213604.Tip.stdout"}, 50},
		{"files", files, Options{}, []string{"a", "b"}, 2},
		{"three files", own, Options{}, []string{"old.txt", "new.txt", "crc-old.txt"}, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := readCSV(t, runIn(t, c.dir, benchstat, benchstatArgs(c.opt, c.files)...))
			got := ofFiles(t, c.dir, c.files, c.opt)
			n := sameNumbers(t, got, want)
			t.Logf("%d numbers", n)
			if n < c.least {
				t.Errorf("%d numbers were compared, want %d or more", n, c.least)
			}
		})
	}
}

func perfFolder(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(string(run(t, "go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/perf")))
}

func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	return runIn(t, ".", name, args...)
}

func runIn(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Logf("%s", exit.Stderr)
		}
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return out
}

func benchstatArgs(opt Options, files []string) []string {
	args := []string{"-format", "csv"}
	for _, f := range []struct{ name, value string }{{"-row", opt.Row}, {"-col", opt.Col}, {"-ignore", opt.Ignore},
		{"-filter", opt.Filter}} {
		if f.value != "" {
			args = append(args, f.name, f.value)
		}
	}
	if opt.Alpha != 0 {
		args = append(args, "-alpha", fmt.Sprint(opt.Alpha))
	}
	return append(args, files...)
}

// ofFiles compares files as the command does.
func ofFiles(t *testing.T, dir string, names []string, opt Options) *Report {
	t.Helper()
	var inputs []Input
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, Input{name, bytes.NewReader(data)})
	}
	r, err := OfBenchmarks(inputs, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A csvTable is one pair of benchstat's columns: the base with a later one, or a base alone.
type csvTable struct {
	unit string
	rows map[string]csvRow
}

type csvRow struct{ oldCenter, oldCI, newCenter, newCI, delta, p string }

// readCSV splits benchstat's output into pairs of columns.
func readCSV(t *testing.T, out []byte) []csvTable {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(out))
	r.FieldsPerRecord = -1
	var tables []csvTable
	first := 0 // of the table being read
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			return tables
		}
		if err != nil {
			t.Fatal(err)
		}
		at := func(i int) string {
			if i < len(rec) {
				return rec[i]
			}
			return ""
		}
		switch {
		case len(rec) >= 3 && rec[0] == "" && rec[2] == "CI":
			first = len(tables)
			for range max(1, (len(rec)-3)/4) {
				tables = append(tables, csvTable{rec[1], make(map[string]csvRow)})
			}
		case len(rec) == 1 || rec[0] == "":
		default:
			for i := range tables[first:] {
				col := 3 + 4*i
				tables[first+i].rows[rec[0]] = csvRow{at(1), at(2), at(col), at(col + 1), at(col + 2), at(col + 3)}
			}
		}
	}
}

// sameNumbers compares every number of both and counts them.
func sameNumbers(t *testing.T, got *Report, want []csvTable) (n int) {
	t.Helper()
	if len(got.Tables) != len(want) {
		t.Fatalf("%d tables, benchstat has %d", len(got.Tables), len(want))
	}
	check := func(what, got, want string) {
		t.Helper()
		if n++; got != want {
			t.Errorf("%s = %q, benchstat has %q", what, got, want)
		}
	}
	for i, tab := range got.Tables {
		if tab.Unit != want[i].unit {
			t.Fatalf("table %d is of %s, benchstat's of %s", i, tab.Unit, want[i].unit)
		}
		for _, row := range tab.Rows {
			b, ok := want[i].rows[row.Name]
			if !ok {
				t.Fatalf("benchstat has no row %q of %s", row.Name, tab.Unit)
			}
			name := tab.Unit + " of " + row.Name
			old, latest := row.Old, row.New
			if tab.Old == "" { // benchstat treats a lone column as the base
				old, latest = row.New, nil
			}
			if old != nil {
				check(name+", old", fmt.Sprint(float64(old.Center)), b.oldCenter)
				check(name+", old interval", interval(old), b.oldCI)
			}
			if latest != nil {
				check(name+", new", fmt.Sprint(float64(latest.Center)), b.newCenter)
				check(name+", new interval", interval(latest), b.newCI)
			}
			if row.compared {
				check(name+", change", row.delta, b.delta)
				check(name+", p", benchmath.Comparison{P: float64(row.P), N1: row.Old.N, N2: row.New.N}.String(), b.p)
				sameChange(t, name, row, b)
			}
		}
		n += sameGeomean(t, tab, want[i].rows["geomean"])
	}
	return n
}

// interval is ours, written as benchstat writes it.
func interval(s *Summary) string {
	return benchmath.Summary{Center: float64(s.Center), Lo: float64(s.Low), Hi: float64(s.High)}.PctRangeString()
}

// sameChange compares our change with benchstat's percentage, where it prints one.
func sameChange(t *testing.T, name string, row Row, b csvRow) {
	t.Helper()
	if percent, err := strconv.ParseFloat(strings.TrimSuffix(b.delta, "%"), 64); err == nil &&
		math.Abs(100*float64(row.Change)-percent) > 0.0051 {
		t.Errorf("%s: change = %v, benchstat has %s", name, row.Change, b.delta)
	}
}

func sameGeomean(t *testing.T, tab Table, b csvRow) (n int) {
	t.Helper()
	if tab.Geomean == nil {
		return 0
	}
	number := func(v Number) string {
		if v.isNaN() {
			return ""
		}
		return fmt.Sprint(float64(v))
	}
	want := [][2]string{{number(tab.Geomean.Old), b.oldCenter}}
	if tab.Old == "" {
		want[0][0] = number(tab.Geomean.New)
	} else if tab.New != "" {
		want = append(want, [2]string{number(tab.Geomean.New), b.newCenter},
			[2]string{tab.Geomean.changeText(), b.delta})
	}
	for _, w := range want {
		if n++; w[0] != w[1] {
			t.Errorf("geomean of %s = %q, benchstat has %q", tab.Unit, w[0], w[1])
		}
	}
	return n
}
