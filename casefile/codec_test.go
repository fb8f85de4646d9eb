package casefile

import (
	"math"
	"reflect"
	"strings"
	"testing"
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
			_, err := Decode([]byte(tt.data))
			if err == nil || !strings.Contains(err.Error(), tt.want) ||
				!strings.Contains(err.Error(), "reading case.json: ") {
				t.Errorf("Decode: %v, want an error that names case.json and has %q", err, tt.want)
			}
		})
	}
}

func TestDecodeSkipsUnknownFields(t *testing.T) {
	c,
		err := Decode(
		[]byte(
			`{"schema":1,"id":"20261121T132512Z-gc-cpu-3f2a9c","future":{"a":[1]},"target":{"name":"x","new":1}}`))
	if err != nil || c.Target.Name != "x" {
		t.Errorf("Decode = %+v, %v, want a case with target x", c, err)
	}
}

func TestEncodeDecode(t *testing.T) {
	want := sampleCase()
	data, err := encode(&want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("a case came back changed:\n%+v\nwant\n%+v", got, want)
	}
}

func TestEncodeWritesListsNotNull(t *testing.T) {
	c := Case{Schema: 1, ID: NewID(opened, "x"), Proof: &Proof{},
		Diagnosis: Diagnosis{Findings: []Finding{{ID: "GC001"}}}}
	data, err := encode(&c)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "null") {
		t.Errorf("null in case.json:\n%s", data)
	}
	if c.Findings[0].Where != nil || c.Proof.Figures != nil || c.Evidence != nil {
		t.Error("encode changed the case it was given")
	}
}

func TestEncodeRefusesWhatDecodeWould(t *testing.T) {
	id := NewID(opened, "x")
	for name, c := range map[string]Case{
		"no ID":        {Schema: 1},
		"other schema": {Schema: 2, ID: id},
		"not a number": {Schema: 1, ID: id, Trigger: Trigger{Value: math.NaN()}},
		"traversal":    {Schema: 1, ID: id, Evidence: []Evidence{{File: "../x", Bytes: 1, SHA256: someSum}}},
		"too large":    {Schema: 1, ID: id, Tool: strings.Repeat("x", maxCaseBytes)},
		"total size": {Schema: 1, ID: id, Evidence: []Evidence{
			{File: "a", Bytes: MaxFileBytes, SHA256: someSum}, {File: "b", Bytes: MaxFileBytes, SHA256: someSum},
			{File: "c", Bytes: MaxFileBytes, SHA256: someSum}, {File: "d", Bytes: MaxFileBytes, SHA256: someSum},
			{File: "e", Bytes: 1, SHA256: someSum}}},
	} {
		if data, err := encode(&c); err == nil {
			t.Errorf("%s: encode wrote %.200s", name, data)
		}
	}
}

func FuzzDecode(f *testing.F) {
	whole := sampleCase()
	data, err := encode(&whole)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(minimal))
	f.Add([]byte(withEvidence(fileJSON("a") + "," + fileJSON("b/c"))))
	f.Add([]byte(withEvidence(fileJSON("../x"))))
	f.Add([]byte(`{"schema":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Decode(data)
		if err != nil {
			if !strings.Contains(err.Error(), caseName) {
				t.Errorf("the error does not name %s: %v", caseName, err)
			}
			return
		}
		again, err := encodeKeeping(data, &c, &c)
		if err != nil {
			return // a time zone that time.Time parses but does not write
		}
		back, err := Decode(again)
		if err != nil {
			t.Fatalf("what was read and written cannot be read: %v\n%s", err, again)
		}
		if len(back.Evidence) != len(c.Evidence) || len(back.Findings) != len(c.Findings) || back.ID != c.ID {
			t.Errorf("a case came back changed:\n%s\n%s", data, again)
		}
	})
}
