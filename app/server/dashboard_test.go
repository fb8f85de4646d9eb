package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/app/txtartest"
	"github.com/gocasebook/casebook/internal/golden"
)

// A dashboard is what of Grafana's JSON the test reads.
type dashboard struct {
	UID, Title    string
	SchemaVersion int                                     `json:"schemaVersion"`
	Inputs        []struct{ Name, Type, PluginID string } `json:"__inputs"`
	Annotations   struct {
		List []struct {
			Name   string
			Target struct {
				Type string
				Tags []string
			}
		}
	}
	Templating struct {
		List []struct {
			Name, Type string
			Query      json.RawMessage
		}
	}
	Panels []panel
}

type panel struct {
	ID          int
	Type, Title string
	GridPos     struct{ X, Y, W, H int }
	Targets     []query
	FieldConfig struct {
		Overrides []struct {
			Matcher    struct{ ID, Options string }
			Properties []struct {
				ID    string
				Value json.RawMessage
			}
		}
	}
}

// A query is one of the Infinity data source.
type query struct {
	Datasource struct{ Type, UID string }
	Type       string
	Source     string
	URL        string
	Root       string `json:"root_selector"`
	Columns    []column
}

type column struct{ Selector, Text, Type string }

func readDashboard(t *testing.T) dashboard {
	t.Helper()
	w := newServed(t, nil).ask("GET", "/assets/grafana-dashboard.json", nil)
	var d dashboard
	readJSON(t, w, &d)
	return d
}

// queries are all of the dashboard's, by a name for a file.
func (d *dashboard) queries(t *testing.T) map[string]query {
	t.Helper()
	all := map[string]query{}
	for _, p := range d.Panels {
		for _, q := range p.Targets {
			all[fmt.Sprintf("%d-%s", p.ID, strings.ToLower(strings.ReplaceAll(p.Title, " ", "-")))] = q
		}
	}
	for _, v := range d.Templating.List {
		if v.Type == "query" {
			var in struct{ InfinityQuery query }
			if err := json.Unmarshal(v.Query, &in); err != nil {
				t.Fatal(err)
			}
			all["variable-"+v.Name] = in.InfinityQuery
		}
	}
	return all
}

// The dashboard has what Grafana's import asks for: inputs for its data sources, panels that do not overlap, queries
// and variables that are there.
func TestDashboardImports(t *testing.T) {
	d := readDashboard(t)
	if d.UID == "" || d.Title == "" || d.SchemaVersion < 30 || len(d.Panels) < 4 || len(d.Inputs) != 1 {
		t.Fatalf("the dashboard is %+v", d)
	}
	known := []string{"__from:date:iso", "__to:date:iso", "__value.raw", d.Inputs[0].Name}
	for _, v := range d.Templating.List {
		known = append(known, v.Name)
	}
	text, err := assetFiles.ReadFile("assets/grafana-dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\$\{([^}]+)\}`).FindAllStringSubmatch(string(text), -1) {
		if !slices.Contains(known, m[1]) {
			t.Errorf("${%s} stands for nothing", m[1])
		}
	}
	taken := map[[2]int]int{}
	for _, p := range d.Panels {
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != 0 || x >= 24 {
					t.Fatalf("panel %d is over panel %d, or out of the grid", p.ID, other)
				}
				taken[[2]int{x, y}] = p.ID
			}
		}
		for _, o := range p.FieldConfig.Overrides { // of a column that is there
			columns := p.Targets[0].Columns
			if !slices.ContainsFunc(columns, func(c column) bool { return c.Text == o.Matcher.Options }) {
				t.Errorf("panel %q overrides a column %q, which it has not", p.Title, o.Matcher.Options)
			}
		}
	}
	for name, q := range d.queries(t) {
		if q.Datasource.Type != "yesoreyeram-infinity-datasource" || q.Datasource.UID != "${"+d.Inputs[0].Name+"}" ||
			q.Type != "json" || q.Source != "url" || !strings.HasPrefix(q.URL, "/api/v1/") {
			t.Errorf("query %s is %+v", name, q)
		}
	}
	a := d.Annotations.List
	if len(a) != 1 || a[0].Target.Type != "tags" || !slices.Equal(a[0].Target.Tags, []string{"casebook"}) {
		t.Errorf("the annotations are %+v; app/grafana writes the tag casebook", a)
	}
}

// fill puts a time and a service into an address, as Grafana does.
func fill(address string) string {
	from := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
	to := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
	return strings.NewReplacer("${service}", "", "${__from:date:iso}", from, "${__to:date:iso}", to).Replace(address)
}

// rows reads an answer as Infinity's parser does: the list at the root selector, and of each row the columns.
func (q *query) rows(t *testing.T, answer []byte) []map[string]any {
	t.Helper()
	var root map[string]json.RawMessage
	if err := json.Unmarshal(answer, &root); err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	if err := json.Unmarshal(root[q.Root], &list); err != nil {
		t.Fatalf("at %q there is no list: %v", q.Root, err)
	}
	out := make([]map[string]any, len(list))
	for i, row := range list {
		out[i] = map[string]any{}
		for _, c := range q.Columns {
			if v, found := row[c.Selector]; found {
				out[i][c.Text] = v
			}
		}
	}
	return out
}

// Each query finds its columns, in their types, in answers that were recorded from a server; and a server of today
// answers with the same fields. -update records anew.
func TestDashboardQueries(t *testing.T) {
	d := readDashboard(t)
	lv := goLive(t, nil, watched(t, "shop"))
	id := lv.awaitWatched(t, 1)[0].ID
	c, zip := newCase(t, "shop")
	if _, err := lv.store.Put(t.Context(), store.Upload{ID: c.ID, Body: strings.NewReader(string(zip))}); err != nil {
		t.Fatal(err)
	}
	proof, err := store.ReadProof([]byte(`{"taken":"2026-11-27T10:00:00Z","verdict":"better","summary":"s","method":"m",
		"load":"l","figures":[{"name":"p99","unit":"s","better":"lower"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lv.store.AddProof(t.Context(), c.ID, proof, "ann"); err != nil {
		t.Fatal(err)
	}
	_, _ = lv.do(t, "POST", "/api/v1/targets/"+id+"/captures", "")
	var asked struct{ Captures []store.Capture }
	lv.get(t, "/api/v1/captures", &asked)
	lv.awaitCapture(t, asked.Captures[0].ID, store.Done)
	const archive = "testdata/grafana.txtar"
	dir := t.TempDir()
	txtartest.Unpack(t, archive, dir)
	for name, q := range d.queries(t) {
		resp, now := lv.do(t, "GET", fill(q.URL), "")
		if resp.StatusCode != 200 {
			t.Errorf("%s: %s answers %d %s", name, fill(q.URL), resp.StatusCode, now)
			continue
		}
		file := filepath.Join(dir, name+".json")
		if golden.Updating() {
			if err := os.WriteFile(file, []byte(now), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		recorded, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		q.check(t, name, recorded)
		if a, b := fieldsOf(q.rows(t, recorded)), fieldsOf(q.rows(t, []byte(now))); !slices.Equal(a, b) {
			t.Errorf("%s: the recorded answer has the columns %q, one of today %q", name, a, b)
		}
	}
	if golden.Updating() {
		txtartest.Pack(t, archive, dir, func(string) bool { return true })
	}
}

// mayBeAbsent are columns of fields that are left out when they are empty.
var mayBeAbsent = []string{"Problem", "Failure", "Case", "Proof", "Finding"}

func (q *query) check(t *testing.T, name string, answer []byte) {
	t.Helper()
	rows := q.rows(t, answer)
	if len(rows) == 0 {
		t.Errorf("%s: the recorded answer has no rows", name)
	}
	have := fieldsOf(rows)
	for _, c := range q.Columns {
		if !slices.Contains(have, c.Text) && !slices.Contains(mayBeAbsent, c.Text) {
			t.Errorf("%s: no row has %q, the column %s", name, c.Selector, c.Text)
		}
		for _, row := range rows {
			v, found := row[c.Text]
			if !found {
				continue
			}
			text, isText := v.(string)
			_, isNumber := v.(float64)
			_, notTime := time.Parse(time.RFC3339, text)
			if c.Type == "string" && !isText || c.Type == "number" && !isNumber || c.Type == "timestamp" && notTime != nil {
				t.Errorf("%s: %v is no %s", name, v, c.Type)
			}
		}
	}
}

func fieldsOf(rows []map[string]any) []string {
	all := map[string]bool{}
	for _, r := range rows {
		for name := range r {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
