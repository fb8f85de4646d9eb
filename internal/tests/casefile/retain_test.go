package casefile_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/filetest"
)

const mib = 1 << 20

// ago is a case of a rule, opened some hours before the pruning. Its ID is its rule and its age.
func ago(hours int, rule string, score int, bytes int64) casefile.Keepsake {
	return casefile.Keepsake{ID: fmt.Sprintf("%s-%d", rule, hours), Scores: map[string]int{rule: score},
		Since: opened.Add(-time.Duration(hours) * time.Hour), Bytes: bytes}
}

func imported(c casefile.Keepsake) casefile.Keepsake {
	c.Imported = true
	return c
}

func pinned(c casefile.Keepsake) casefile.Keepsake {
	c.Pinned = true
	return c
}

func fixedCase(id string, bytes int64) casefile.Keepsake {
	return casefile.Keepsake{ID: id, Bytes: bytes, Fixed: true}
}

func TestRetentionDrops(t *testing.T) {
	five := []casefile.Keepsake{ // the last is the first of its rule, the fourth is the worst
		ago(1, "a", 50, mib), ago(2, "a", 10, mib), ago(3, "a", 40, mib), ago(4, "a", 90, mib), ago(5, "a", 0, mib),
	}
	for _, tt := range []struct {
		name  string
		keep  casefile.Retention
		cases []casefile.Keepsake
		want  string // IDs
	}{
		{"nothing there", casefile.Retention{MaxCases: 1}, nil, ""},
		{"within all limits", casefile.Retention{MaxCases: 5, MaxBytes: 5 * mib, MaxAge: 5 * time.Hour}, five, ""},
		{"one too many", casefile.Retention{MaxCases: 4}, five, "a-3"},
		{"two too many", casefile.Retention{MaxCases: 3}, five, "a-3 a-2"},
		{"first, worst and newest stay", casefile.Retention{MaxCases: 1}, five, "a-3 a-2"},
		{"a byte too much", casefile.Retention{MaxBytes: 5*mib - 1}, five, "a-3"},
		{"too old", casefile.Retention{MaxAge: 90 * time.Minute}, five, "a-3 a-2"},
		{"as old as the limit", casefile.Retention{MaxAge: 2 * time.Hour}, five, "a-3"},
		{"no limits", casefile.KeepAll(), append([]casefile.Keepsake{ago(24*365, "a", 1, 1<<40)}, five...), ""},
		{"defaults: age", casefile.Retention{}, []casefile.Keepsake{ago(24*40, "a", 0, 1), ago(24*31, "a", 0, 1),
			ago(24*30, "a", 0, 1),
			ago(1, "a", 0, 1)}, "a-744"},
		{"defaults: bytes", casefile.Retention{}, []casefile.Keepsake{ago(4, "a", 0, 1), ago(3, "a", 0, 1<<29),
			ago(2, "a", 0, 1<<29),
			ago(1, "a", 0, 1)}, "a-3"},
		{"each rule has its own first and worst", casefile.Retention{MaxCases: 1},
			[]casefile.Keepsake{ago(9, "a", 1, 1), ago(8, "b", 1, 1), ago(7, "a", 9, 1), ago(6, "b", 2, 1), ago(5, "a", 8, 1),
				ago(4, "b", 1, 1), ago(3, "a", 1, 1)},
			"a-5 b-4"},
		{"of equally bad ones the earliest is the worst", casefile.Retention{MaxCases: 1},
			[]casefile.Keepsake{ago(4, "a", 1, 1), ago(3, "a", 9, 1), ago(2, "a", 9, 1), ago(1, "a", 1, 1)}, "a-2"},
		{"what is pinned stays, and is the first and the worst", casefile.Retention{MaxCases: 1},
			[]casefile.Keepsake{pinned(ago(5, "a", 9, 1)), pinned(ago(4, "a", 1, 1)), ago(3, "a", 1, 1), ago(2, "a", 8, 1),
				ago(1, "a", 1, 1)}, "a-3 a-2"},
		{"a case may be the first of one finding and the worst of another", casefile.Retention{MaxCases: 1},
			[]casefile.Keepsake{{ID: "x", Scores: map[string]int{"a": 1, "b": 9}, Since: opened.Add(-4)},
				{ID: "y", Scores: map[string]int{"a": 5, "b": 1}, Since: opened.Add(-3)},
				{ID: "z", Scores: map[string]int{"a": 5}, Since: opened.Add(-2)}, {ID: "none", Since: opened.Add(-2)},
				{ID: "newest", Since: opened}}, "none z"},
		{"what is fixed counts and stays", casefile.Retention{MaxCases: 5},
			append([]casefile.Keepsake{fixedCase("x", 1), fixedCase("y", 1)}, five...), "a-3 a-2"},
		{"what is fixed is no first, worst or newest", casefile.Retention{MaxCases: 1},
			[]casefile.Keepsake{fixedCase("x", 1), ago(2, "a", 1, 1), ago(1, "a", 1, 1)}, ""},
		{"the newest stays although it alone is too large", casefile.Retention{MaxBytes: mib},
			[]casefile.Keepsake{ago(3, "a", 1, 1), ago(2, "a", 1, 1), ago(1, "a", 1, 9*mib)}, "a-2"},
		{"an imported case is no first and no worst", casefile.Retention{MaxCases: 1},
			[]casefile.Keepsake{imported(ago(9, "a", 99, 1)), ago(8, "a", 1, 1), ago(7, "a", 9, 1), imported(ago(6, "z", 1, 1)),
				ago(1, "a", 1, 1)}, "a-9 z-6"},
		{"a case that was just imported is the newest", casefile.Retention{MaxCases: 1},
			[]casefile.Keepsake{ago(8, "a", 9, 1), ago(7, "a", 1, 1), imported(ago(0, "a", 1, 1))}, "a-7"},
		{"a clock that was set back drops nothing for its age", casefile.Retention{MaxAge: time.Minute},
			[]casefile.Keepsake{ago(-1, "a", 0, 1), ago(-2, "a", 0, 1), ago(-3, "a", 0, 1)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := names(tt.keep.Drop(tt.cases, opened)); got != tt.want {
				t.Errorf("drop = %q, want %q", got, tt.want)
			}
		})
	}
}

func names(cases []casefile.Keepsake) string {
	var ids []string
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

func TestRetentionIsValidated(t *testing.T) {
	for _, tt := range []struct {
		keep casefile.Retention
		want []string
	}{
		{casefile.Retention{}, nil},
		{casefile.KeepAll(), nil},
		{casefile.Retention{MaxBytes: 1 << 20, MaxAge: time.Minute, MaxCases: 1}, nil},
		{casefile.Retention{MaxBytes: 1024}, []string{"field MaxBytes is 1024"}},
		{casefile.Retention{MaxBytes: 1, MaxAge: 30}, []string{"field MaxBytes is 1;", "field MaxAge is 30ns"}},
	} {
		err := tt.keep.Validate()
		if (err == nil) != (tt.want == nil) {
			t.Errorf("%+v: %v, want %q", tt.keep, err, tt.want)
		}
		for _, want := range tt.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v, want %q in it", tt.keep, err, want)
			}
		}
	}
}

// What a target says has OpenTelemetry's names, too. What its process said of itself stays.
func TestNameResource(t *testing.T) {
	for _, tt := range []struct {
		name   string
		target casefile.Target
		want   map[string]string
	}{
		{"nothing is known", casefile.Target{}, nil},
		{"outside", casefile.Target{Name: "shop", URL: "http://10.0.0.7:6060", Build: casefile.Build{Version: "v1.4.0", Revision: "4be1a7"}},
			map[string]string{"service.name": "shop", "service.version": "v1.4.0", "service.instance.id": "10.0.0.7:6060"}},
		{"a build without a version", casefile.Target{Name: "shop", Build: casefile.Build{Version: "(devel)", Revision: "4be1a7"}},
			map[string]string{"service.name": "shop", "service.version": "4be1a7"}},
		{"labels", casefile.Target{Name: "shop", URL: "http://10.0.0.7:6060", Labels: map[string]string{"pod": "shop-7",
			"namespace": "eu", "k8s_node_name": "n3", "team": "cart", "cloud.region": "eu-1"}},
			map[string]string{"service.name": "shop", "service.instance.id": "shop-7", "k8s.pod.name": "shop-7",
				"k8s.namespace.name": "eu", "k8s.node.name": "n3", "cloud.region": "eu-1"}},
		{"the process says it", casefile.Target{Name: "shop", URL: "http://10.0.0.7:6060", Resource: casefile.ParseResource(
			" service.instance.id = 7%2C8 ,bad,=x,host.name=,k8s.pod.name=p,wrong=%zz,service.name=other", "cart")},
			map[string]string{"service.name": "cart", "service.instance.id": "7,8", "k8s.pod.name": "p"}},
		{"an engine", casefile.Target{Name: "shop", URL: "pyroscope://host"}, map[string]string{"service.name": "shop"}},
	} {
		tt.target.NameResource()
		if !maps.Equal(tt.target.Resource, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, tt.target.Resource, tt.want)
		}
		first := maps.Clone(tt.target.Resource)
		if tt.target.NameResource(); !maps.Equal(first, tt.target.Resource) {
			t.Errorf("%s: a second time it is %v, want %v", tt.name, tt.target.Resource, first)
		}
	}
}

// caseAgo writes a case that was opened some hours ago, with a finding of this score and this many bytes of evidence.
func caseAgo(t *testing.T, dir string, hours, score, bytes int) *casefile.Folder {
	t.Helper()
	c := newCase()
	c.Opened = opened.Add(-time.Duration(hours) * time.Hour)
	f := mustCommit(t, dir, c, map[string]string{"during/cpu.pb.gz": strings.Repeat("x", bytes)})
	// not by score
	findings := []casefile.Finding{{ID: "GC003", Score: 20}, {ID: "CPU001", Score: score}, {ID: "AL001", Score: 25}}
	if err := f.Update(func(c *casefile.Case) { c.Findings = findings }); err != nil {
		t.Fatal(err)
	}
	return f
}

// wantCases wants exactly these cases in dir, newest first.
func wantCases(t *testing.T, dir string, want ...*casefile.Folder) {
	t.Helper()
	var ids []string
	for _, f := range want {
		ids = append(ids, f.Case.ID)
	}
	slices.Sort(ids)
	filetest.Want(t, dir, ids...)
}

// Two Casebooks that prune one folder at the same time lose nothing that must stay, and report no error.
func TestPruneAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		caseAgo(t, dir, 100-i, 10+i%7, 1000)
	}
	results := make(chan casefile.Pruned)
	for range 3 {
		go func() {
			p, err := casefile.Dir(dir).Prune(casefile.Retention{MaxCases: 5}, opened)
			if err != nil {
				t.Error(err)
			}
			results <- p
		}()
	}
	removed := map[string]int{}
	for range 3 {
		for _, id := range (<-results).Removed {
			removed[id]++
		}
	}
	list, err := casefile.Dir(dir).List()
	if err != nil || len(list) != 5 || len(removed) != 25 {
		t.Errorf("%d cases are left and %d were removed, want 5 and 25; %v", len(list), len(removed), err)
	}
	for id, n := range removed {
		if n != 1 {
			t.Errorf("%s was removed %d times", id, n)
		}
	}
}

// sampleCase is a valid case in which no field of any type is zero.
func sampleCase() casefile.Case {
	var c casefile.Case
	filetest.Fill(reflect.ValueOf(&c).Elem(), opened)
	c.Schema, c.ID = casefile.Schema, "20261121T132512Z-gc-cpu-3f2a9c"
	for i := range c.Evidence {
		e := &c.Evidence[i]
		e.File, e.Bytes, e.SHA256 = fmt.Sprintf("during/cpu-%d.pb.gz", i), 1, someSum
	}
	return c
}

func TestSampleCaseIsFull(t *testing.T) {
	wantFull(t, "Case", reflect.ValueOf(sampleCase()))
}

func wantFull(t *testing.T, path string, v reflect.Value) {
	if v.IsZero() {
		t.Errorf("%s is zero", path)
	}
	switch v.Kind() {
	case reflect.Pointer:
		wantFull(t, path, v.Elem())
	case reflect.Slice:
		wantFull(t, path, v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() != reflect.TypeFor[time.Time]() {
				wantFull(t, path+"."+v.Type().Field(i).Name, v.Field(i))
			}
		}
	}
}

func TestStateRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cases")
	var got map[string]int
	if found, err := casefile.Dir(dir).LoadState("shop", &got); found || err != nil {
		t.Fatalf("LoadState of nothing = %v, %v; want false and no error", found, err)
	}
	for _, n := range []int{1, 2} {
		if err := casefile.Dir(dir).SaveState("http://h:6060/../x", map[string]int{"n": n}); err != nil {
			t.Fatal(err)
		}
	}
	found, err := casefile.Dir(dir).LoadState("http://h:6060/../x", &got)
	if !found || err != nil || got["n"] != 2 {
		t.Errorf("LoadState = %v, %v with %v; want the second state", found, err, got)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || !strings.HasPrefix(files[0].Name(), statePrefix) {
		t.Errorf("the folder holds %v (%v), want one state", files, err)
	}
	if list, err := casefile.Dir(dir).List(); len(list) != 0 || err != nil {
		t.Errorf("List takes the state for a case: %v, %v", list, err)
	}
}
