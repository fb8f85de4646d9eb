package play

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/golden"
	"github.com/gocasebook/casebook/lab"
)

// recorded is a run's results, with rows that failed.
func recorded(t *testing.T) Report {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rep, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// services are those of the recorded run.
func services() []lab.Service {
	return []lab.Service{
		{Name: "phones", Text: "a gateway of phone numbers.",
			Diseases: []lab.Disease{{Name: "gcache"}, {Name: "gcache-ccache"}, {Name: "gone"}}},
		{Name: "feature", Text: "features over a cache", Diseases: []lab.Disease{{Name: "second-zero"}}},
		{Name: "ads", Text: "ads", Diseases: []lab.Disease{{Name: "wrong"}}},
	}
}

func TestForms(t *testing.T) {
	rep := recorded(t)
	for name, write := range map[string]func(io.Writer) error{
		"lab.md":  func(w io.Writer) error { return rep.WriteMarkdown(w, services()) },
		"lab.txt": rep.WriteText,
		"rows.txt": func(w io.Writer) error {
			for i := range rep.Rows {
				if err := rep.Rows[i].WriteText(w); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := write(&got); err != nil {
				t.Fatal(err)
			}
			golden.Is(t, filepath.Join("testdata", name), got.String())
			for l := range strings.Lines(got.String()) {
				if strings.HasSuffix(name, ".txt") && utf8.RuneCountInString(strings.TrimSuffix(l, "\n")) > width {
					t.Errorf("a line is over %d columns: %s", width, l)
				}
			}
		})
	}
}

func TestWriteAndRead(t *testing.T) {
	rep := recorded(t)
	var b bytes.Buffer
	if err := rep.Write(&b); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(want))
	if err != nil || len(again.Rows) != 5 || again.Rows[0].Proof.Verdict != casefile.Better {
		t.Errorf("%d rows, %v", len(again.Rows), err)
	}
	for _, bad := range []string{"", "{", `{"schema": 99}`} {
		if _, err := Read(strings.NewReader(bad)); err == nil {
			t.Errorf("Read(%q) accepts it", bad)
		}
	}
}

// Rows of this run replace those of an earlier one. The order is the lab's.
func TestWith(t *testing.T) {
	earlier := recorded(t)
	now := Report{Machine: "another", Rows: []Result{{Service: "feature", Disease: "second-zero", Sick: "new"}}}
	order, err := Select(services(), []string{All})
	if err != nil {
		t.Fatal(err)
	}
	now.With(earlier, order)
	var names []string
	for i := range now.Rows {
		names = append(names, now.Rows[i].Name())
	}
	want := []string{"phones/gcache", "phones/gcache-ccache", "phones/gone", "feature/second-zero", "ads/wrong"}
	if !slices.Equal(names, want) || now.Rows[3].Sick != "new" || len(now.Tables) != 1 {
		t.Errorf("rows %v, want %v; %d tables", names, want, len(now.Tables))
	}
	runs := now.runs()
	if len(runs) != 2 || runs[0].machine+runs[1].machine != "another"+earlier.Machine {
		t.Errorf("played on %+v, want this run's machine and the earlier one's", runs)
	}
	none := Report{Machine: "another"}
	if none.With(earlier, order); none.Machine != earlier.Machine || len(none.Rows) != 5 {
		t.Errorf("nothing was played: machine %q, %d rows", none.Machine, len(none.Rows))
	}
}

// A row that is played alone is none of a service's, and none of all.
func TestAlone(t *testing.T) {
	services := services()
	services[0].Diseases[0].Alone = true
	for name, want := range map[string]int{"all": 4, services[0].Name: 2, Rows(services)[0].Name(): 1} {
		if rows, err := Select(services, []string{name}); err != nil || len(rows) != want {
			t.Errorf("Select(%q): %d rows, %v; want %d", name, len(rows), err, want)
		}
	}
}

func TestSelect(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  int
		err   string
	}{
		{[]string{"all"}, 5, ""},
		{[]string{"phones"}, 3, ""},
		{[]string{"phones/gone", "phones/gone", "ads"}, 2, ""},
		{nil, 0, ""},
		{[]string{"phone"}, 0, "did you mean phones?"},
		{[]string{"ads", "phones/gache"}, 0, "did you mean phones/gcache"},
		{[]string{"zebra"}, 0, "lab ls"},
	} {
		rows, err := Select(services(), c.names)
		if len(rows) != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("Select(%q): %d rows, %v; want %d, %q", c.names, len(rows), err, c.want, c.err)
		}
	}
}
