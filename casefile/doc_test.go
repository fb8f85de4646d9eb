package casefile

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/checkout"
)

const schemaDoc = "../docs/case.md"

// TestSchemaDoc compares docs/case.md with the Go types, in both directions: a row for every field with the field's
// type, and no row for a field that does not exist.
func TestSchemaDoc(t *testing.T) {
	checkout.Need(t)
	doc, err := os.ReadFile(schemaDoc)
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9_.\\[\\]]+)` \\| ([a-z ]+) \\| "+
		".+ \\|$").FindAllStringSubmatch(string(doc), -1) {
		documented[row[1]] = row[2]
	}
	fields := map[string]string{}
	jsonFields(reflect.TypeFor[Case](), "", fields)
	for path, kind := range fields {
		if documented[path] != kind {
			t.Errorf("%s: field %s is documented as %q, want %q", schemaDoc, path, documented[path], kind)
		}
	}
	for path := range documented {
		if fields[path] == "" {
			t.Errorf("%s documents %s, which is no field", schemaDoc, path)
		}
	}
}

// jsonFields collects the path and the type of every field that encoding/json writes for t.
func jsonFields(t reflect.Type, prefix string, fields map[string]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			jsonFields(f.Type, prefix, fields)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		ft, path, kind := f.Type, prefix+name, ""
		if ft.Kind() == reflect.Slice {
			ft, path, kind = ft.Elem(), path+"[]", "list of "
		}
		if ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		word := jsonType(ft)
		if kind != "" {
			word += "s"
		}
		fields[path] = kind + word
		if word == "object" || word == "objects" {
			jsonFields(ft, path+".", fields)
		}
	}
}

func jsonType(t reflect.Type) string {
	if t == reflect.TypeFor[time.Time]() {
		return "time"
	}
	return map[reflect.Kind]string{
		reflect.String: "string", reflect.Int: "integer", reflect.Int64: "integer", reflect.Float64: "number",
		reflect.Bool: "boolean", reflect.Struct: "object", reflect.Map: "map of strings",
	}[t.Kind()]
}

// TestSchemaDocExample reads the example. It must be a case that this package could have written.
func TestSchemaDocExample(t *testing.T) {
	checkout.Need(t)
	doc, err := os.ReadFile(schemaDoc)
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(doc, -1)
	if len(blocks) != 1 {
		t.Fatalf("%s has %d blocks of JSON, want the example alone", schemaDoc, len(blocks))
	}
	c, err := Decode(blocks[0][1])
	if err != nil {
		t.Fatal(err)
	}
	data, err := encode(&c)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(strings.Fields(string(data)), "") != strings.Join(strings.Fields(string(blocks[0][1])), "") {
		t.Errorf("the example is not what Casebook writes:\n%s", data)
	}
	if len(c.Evidence) == 0 || len(c.Findings) == 0 || c.Proof == nil || len(c.Missing) == 0 {
		t.Error("the example lacks evidence, a finding, a proof or something missing")
	}
}

// TestSchemaDocConstants wants every word and every limit of the format in the document.
func TestSchemaDocConstants(t *testing.T) {
	checkout.Need(t)
	doc, err := os.ReadFile(schemaDoc)
	if err != nil {
		t.Fatal(err)
	}
	words := []string{CPU, Heap, Allocs, Goroutine, Mutex, Block, ThreadCreate, Vitals, string(Before), string(During),
		string(After),
		Notice, Warning, Critical, Value, Change, Package, string(Better), string(Worse), string(Same),
		string(CannotTell),
		caseName, lockName, reserveName, partPrefix, tmpPrefix, scratchName}
	for _, word := range slices.Compact(words) {
		if !strings.Contains(string(doc), "`"+word+"`") {
			t.Errorf("%s does not name `%s`", schemaDoc, word)
		}
	}
}
