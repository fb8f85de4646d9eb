package cli_test

import (
	"encoding/json"
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
