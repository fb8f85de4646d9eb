package render

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// sarifSchemaFile is the schema of SARIF 2.1.0 as it was published for JSON Schema draft 4, from the npm package
// @microsoft/jest-sarif 1.0.0-beta.0 (MIT).
const sarifSchemaFile = "testdata/sarif-2.1.0-rtm.5.json.gz"

// publishedSchema reads the schema. The library knows newer drafts alone; of draft 4 this schema uses nothing else
// than "id" that these spell or mean otherwise, and no exclusiveMinimum.
func publishedSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	f, err := os.Open(sarifSchemaFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var data []byte
	packed, err := gzip.NewReader(f)
	if err == nil {
		data, err = io.ReadAll(packed)
	}
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "http://json-schema.org/draft-04/schema#",
		"http://json-schema.org/draft-07/schema#", 1)
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// checkSchema holds a log to the published schema.
func checkSchema(t *testing.T, schema *jsonschema.Resolved, log string) {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(log), &v); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("%v in\n%s", err, log)
	}
}

// TestSARIFSchema: findings and remarks are valid by the published schema, and the schema that was read does refuse.
func TestSARIFSchema(t *testing.T) {
	schema := publishedSchema(t)
	var findings, remarks strings.Builder
	if err := SARIF(&findings, Document{Diagnosis: recordedFindings(t, "cpu_json/faulty"), Version: "v1"}); err != nil {
		t.Fatal(err)
	}
	if err := RemarksSARIF(&remarks, gateRemarks()); err != nil {
		t.Fatal(err)
	}
	for _, log := range []string{findings.String(), remarks.String()} {
		checkSchema(t, schema, log)
		for old, bad := range map[string]string{`"2.1.0"`: `"2.0"`, `"startLine": `: `"startLine": -`,
			`"ruleId"`: `"rule"`, `"level": "`: `"level": "x`, `"columnKind"`: `"column"`} {
			var v any
			if err := json.Unmarshal([]byte(strings.Replace(log, old, bad, 1)), &v); err != nil {
				t.Fatal(err)
			}
			if schema.Validate(v) == nil {
				t.Errorf("the schema accepts %s for %s", bad, old)
			}
		}
	}
}
