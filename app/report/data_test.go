package report

import (
	"testing"

	"github.com/gocasebook/casebook/app/typescript"
	"github.com/gocasebook/casebook/internal/golden"
)

// web/data.ts says in TypeScript what Go writes into the pages: a script that reads anything else does not pass tsc.
func TestDataTypes(t *testing.T) {
	text, err := typescript.Interfaces("// What Go writes into the pages. Made of its structs: go test ./report -run "+
		"TestDataTypes -update.\n", map[string]string{
		"jsonFloat":       "number | null", // null is not finite
		"FlameData.funcs": "[name: string, file: number, owner: number][] | null",
		"FlameData.links": "[folder: number, rest: string][]",
		// A tree that is drawn has a sample type at least.
		"GraphData.types": "SampleType[]",
		"GraphData.self":  "number[][]",
		"GraphData.cut":   "[node: number, value: number][][]",
		"LinesData.self":  "number[][]",
		"LinesData.total": "number[][]",
	}, caseData{}, comparisonData{}, profileData{})
	if err != nil {
		t.Fatal(err)
	}
	golden.Is(t, "web/data.ts", text)
}
