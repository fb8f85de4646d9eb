package casefile

import (
	"strings"
	"testing"
)

// update decodes raw, applies change and encodes, as Folder.Update does.
func update(t *testing.T, raw string, change func(*Case)) string {
	t.Helper()
	old, err := Decode([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	next, err := Decode([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	change(&next)
	data, err := encodeKeeping([]byte(raw), &old, &next)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(data); err != nil {
		t.Fatalf("what Update wrote cannot be read: %v\n%s", err, data)
	}
	return strings.Join(strings.Fields(string(data)), "")
}

func TestUpdateKeepsUnknownFields(t *testing.T) {
	head := strings.TrimSuffix(minimal, "}")
	for _, tt := range []struct {
		name, raw string
		change    func(*Case)
		want      []string
		wantNot   []string
	}{
		{"at the top", head + `,"owner":"ops","big":12345678901234567890}`, func(c *Case) { c.Tool = "v2" },
			[]string{`"owner":"ops"`, `"big":12345678901234567890`, `"tool":"v2"`}, nil},
		{"in an object", head + `,"target":{"name":"a","zone":{"id":7}}}`, func(c *Case) { c.Target.Name = "b" },
			[]string{`"zone":{"id":7}`, `"name":"b"`}, nil},
		{"in list elements that stay, not in one that changes",
			withEvidence(strings.Replace(fileJSON("a"), "}", `,"x":1}`, 1) + "," +
				strings.Replace(fileJSON("b"), "}", `,"y":2}`, 1)),
			func(c *Case) { c.Evidence[0].Note = "new" }, []string{`"y":2`, `"note":"new"`}, []string{`"x":1`}},
		{"in list elements that move", head + `,"missing":[{"kind":"a","x":1},{"kind":"b","y":2}]}`,
			func(c *Case) { c.Missing = c.Missing[1:] }, []string{`"kind":"b","phase":"","reason":"","y":2`},
			[]string{`"x":1`}},
		{"known fields that go, go", head + `,"tool":"v1","owner":"ops"}`, func(c *Case) { c.Tool = "" },
			[]string{`"owner"`}, []string{`"tool"`}},
		{"a known field in other letters is known", head + `,"Tool":"v1","TARGET":{"PID":0}}`,
			func(c *Case) { c.Tool, c.Target.PID = "v2", 5 },
			[]string{`"tool":"v2"`, `"pid":5`}, []string{`"Tool"`, `"TARGET"`, `"PID"`}},
		{"null where a list was", head + `,"findings":null,"x":1}`, func(*Case) {}, []string{`"findings":[]`, `"x":1`},
			nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := update(t, tt.raw, tt.change)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("want %s in %s", want, got)
				}
			}
			for _, not := range tt.wantNot {
				if strings.Contains(got, not) {
					t.Errorf("want no %s in %s", not, got)
				}
			}
		})
	}
}

func TestUpdateWithoutUnknownFieldsKeepsTheOrder(t *testing.T) {
	if got := update(t, minimal, func(*Case) {}); !strings.HasPrefix(got, `{"schema":1,"id":`) {
		t.Errorf("case.json begins %.60s, want schema and id first", got)
	}
}
