package casefile_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// minimal is the shortest case.json.
const minimal = `{"schema":1,"id":"20261121T132512Z-gc-cpu-3f2a9c"}`

const someSum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// withEvidence is a case.json whose evidence is the given JSON.
func withEvidence(elements string) string {
	return strings.TrimSuffix(minimal, "}") + `,"evidence":[` + elements + `]}`
}

func fileJSON(name string) string {
	return `{"file":"` + name + `","kind":"cpu","phase":"during","bytes":1,"sha256":"` + someSum + `"}`
}

func TestDecodeRefuses(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"nothing", "", "unexpected end"},
		{"no JSON", "<html>", "line 1: invalid character"},
		{"cut short", "{\n\"schema\": 1,\n\"id\": \"2026", "line 3: unexpected end"},
		{"two values", minimal + minimal, "invalid character '{' after top-level value"},
		{"a list", "[]", "cannot unmarshal array"},
		{"no schema", `{"id":"x"}`, "not the case.json of a Casebook"},
		{"schema 0", `{"schema":0}`, "not the case.json of a Casebook"},
		{"schema as text", `{"schema":"1"}`, "line 1: json: cannot unmarshal string"},
		{"newer", `{"schema":2,"id":{"no":"longer text"}}`,
			"written by a newer Casebook (schema 2, this one reads 1): update casebook"},
		{"wrong type", "{\"schema\":1,\n\"opened\":5}", "Time.UnmarshalJSON"},
		{"bad ID", `{"schema":1,"id":"../../etc"}`, `id "../../etc" is not the ID of a case`},
		{"traversal", withEvidence(fileJSON("../../etc/passwd")), "evidence 1: file name"},
		{"absolute", withEvidence(fileJSON("/etc/passwd")), "evidence 1: file name"},
		{"twice", withEvidence(fileJSON("a") + "," + fileJSON("A")), "evidence 2: file name \"A\" is already taken"},
		{"case.json", withEvidence(fileJSON("case.json")), "already taken"},
		{"no size", withEvidence(`{"file":"a","sha256":"` + someSum + `"}`), "file a has 0 bytes"},
		{"negative size", withEvidence(`{"file":"a","bytes":-1,"sha256":"` + someSum + `"}`), "file a has -1 bytes"},
		{"bad checksum", withEvidence(`{"file":"a","bytes":1,"sha256":"xyz"}`), "file a: sha256 \"xyz\""},
		{"empty elements", withEvidence(strings.Repeat("{},", maxFiles) + "{}"), "1001 files of evidence"},
		{"too many values", withEvidence(strings.Repeat("{},", maxCaseCommas) + "{}"), "larger than a case can be"},
		{"too large", minimal + strings.Repeat(" ", maxCaseBytes), "larger than a case can be"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := casefile.Decode([]byte(tt.data))
			if err == nil || !strings.Contains(err.Error(), tt.want) ||
				!strings.Contains(err.Error(), "reading case.json: ") {
				t.Errorf("Decode: %v, want an error that names case.json and has %q", err, tt.want)
			}
		})
	}
}

func TestDecodeSkipsUnknownFields(t *testing.T) {
	c,
		err := casefile.Decode(
		[]byte(
			`{"schema":1,"id":"20261121T132512Z-gc-cpu-3f2a9c","future":{"a":[1]},"target":{"name":"x","new":1}}`))
	if err != nil || c.Target.Name != "x" {
		t.Errorf("Decode = %+v, %v, want a case with target x", c, err)
	}
}

// BenchmarkCase writes a case of four files, from Create to Commit, with every fsync that makes it last.
func BenchmarkCase(b *testing.B) {
	for _, size := range []int{4 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("size=%dk", size>>10), func(b *testing.B) {
			dir := b.TempDir()
			data := bytes.Repeat([]byte("evidence"), size/8)
			b.ReportAllocs()
			b.SetBytes(4 * int64(size))
			for b.Loop() {
				w, err := casefile.Dir(dir).Create(newCase())
				if err != nil {
					b.Fatal(err)
				}
				for i := range 4 {
					if err := w.Add(evidence(fmt.Sprint(i)), data); err != nil {
						b.Fatal(err)
					}
				}
				if _, err := w.Commit(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

const schemaDoc = "../../../docs/case.md"

// TestSchemaDoc compares docs/case.md with the Go types, in both directions: a row for every field with the field's
// type, and no row for a field that does not exist. A row that
// says "with the fields of `a`" stands for the rows below `a`, too.
func TestSchemaDoc(t *testing.T) {
	checkout.Need(t)
	doc, err := os.ReadFile(schemaDoc)
	if err != nil {
		t.Fatal(err)
	}
	documented, alike := map[string]string{}, map[string]string{}
	like := regexp.MustCompile("with the fields of `([a-z0-9_.\\[\\]]+)`")
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9_.\\[\\]]+)` \\| ([a-z ]+) \\| "+
		"(.+) \\|$").FindAllStringSubmatch(string(doc), -1) {
		documented[row[1]] = row[2]
		if m := like.FindStringSubmatch(row[3]); m != nil {
			alike[row[1]] = m[1]
		}
	}
	for path, other := range alike {
		for row, kind := range maps.Clone(documented) {
			if field, ok := strings.CutPrefix(row, other+"."); ok {
				documented[path+"."+field] = kind
			}
		}
	}
	fields := map[string]string{}
	jsonFields(reflect.TypeFor[casefile.Case](), "", fields)
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

// TestSchemaDocConstants wants every word and every limit of the format in the document.
func TestSchemaDocConstants(t *testing.T) {
	checkout.Need(t)
	doc, err := os.ReadFile(schemaDoc)
	if err != nil {
		t.Fatal(err)
	}
	words := []string{casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.Mutex, casefile.Block,
		casefile.ThreadCreate, casefile.Vitals, string(casefile.Before), string(casefile.During),
		string(casefile.After),
		casefile.Notice, casefile.Warning, casefile.Critical, casefile.Value, casefile.Change, casefile.Package,
		string(casefile.Better), string(casefile.Worse), string(casefile.Same),
		string(casefile.CannotTell),
		caseName, lockName, reserveName, partPrefix, tmpPrefix, scratchName}
	for _, word := range slices.Compact(words) {
		if !strings.Contains(string(doc), "`"+word+"`") {
			t.Errorf("%s does not name `%s`", schemaDoc, word)
		}
	}
}
