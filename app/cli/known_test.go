package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKnown: what is known of a module, of a function, and of nothing that has a row.
func TestKnown(t *testing.T) {
	r := inProcess(t, "known")
	r.want(t, 0, "github.com/segmentio/kafka-go", "rows of")
	r = inProcess(t, "known", "github.com/segmentio/kafka-go")
	r.want(t, 0, "WriteMessages waits", "Writer.BatchTimeout", "change", "read in")
	for l := range strings.Lines(r.out) {
		if n := len([]rune(strings.TrimSuffix(l, "\n"))); n > 80 {
			t.Errorf("a line of %d columns: %s", n, l)
		}
	}
	inProcess(t, "known", "github.com/segmentio/kafka-go.(*Writer).WriteMessages.func1").want(t, 0, "BatchTimeout")
	inProcess(t, "known", "example.org/nothing").want(t, 2, "nothing is known of example.org/nothing", "casebook known")
	dir := t.TempDir()
	mod := "module example.org/shop\n\nrequire github.com/segmentio/kafka-go v0.4.47\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
		t.Fatal(err)
	}
	inProcess(t, "known", dir).want(t, 0, "github.com/segmentio/kafka-go v0.4.47", "None is a finding")
	inProcess(t, "known", filepath.Join(dir, "go.mod"), "--json").want(t, 0, `"rows"`,
		`"path": "github.com/segmentio/kafka-go"`)
	inProcess(t, "known", filepath.Join(dir, "other", "go.mod")).want(t, 2, "no such file")
	var list struct {
		Schema int
		Rows   []struct{ Module, Version, Sort, Says, Why, Source string }
	}
	r = inProcess(t, "known", "--json")
	if err := json.Unmarshal([]byte(r.out), &list); err != nil || list.Schema != 1 || len(list.Rows) == 0 {
		t.Fatalf("%v: schema %d, %d rows", err, list.Schema, len(list.Rows))
	}
	for _, row := range list.Rows {
		if row.Module == "" || row.Version == "" || row.Sort == "" || row.Says == "" || row.Why == "" || row.Source == "" {
			t.Errorf("incomplete: %+v", row)
		}
	}
}
