package rule

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// What a condition has besides the field of its kind.
var besides = []string{"signal", "of", "beyond", "over", "mean", "min", "max", "for"}

// TestEveryFieldIsOfAKind compares Condition, the list of kinds and docs/rules.md. A condition whose kind is not listed
// would be read as another one.
func TestEveryFieldIsOfAKind(t *testing.T) {
	checkout.Need(t)
	doc, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]*kind)
	for _, k := range kinds {
		if byName[k.name] != nil {
			t.Errorf("%q is listed twice", k.name)
		}
		byName[k.name] = k
		if !strings.Contains(string(doc), "`"+k.name+"`") {
			t.Errorf("docs/rules.md does not mention `%s`", k.name)
		}
	}
	for _, name := range besides {
		byName[name] = nil
	}
	fields := fieldNames(reflect.TypeFor[Condition]())
	for _, name := range fields {
		if _, ok := byName[name]; !ok {
			t.Errorf("the field %q is of no kind", name)
		}
	}
	if len(fields) != len(byName) {
		t.Errorf("%d fields, %d kinds and what is next to them", len(fields), len(byName))
	}
}

// TestKindsAreWhole finds a kind that lacks a function which its class needs, before somebody's rule does.
func TestKindsAreWhole(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			need := map[string]bool{"set": k.set != nil}
			switch k.class {
			case groups:
				need["parts"], need["compose"], need["now"] = k.parts != nil, k.compose != nil, k.now != nil
				need["nearness"], need["why"] = k.nearness != nil, k.why != nil
			case alone:
				need["why"], need["report"] = k.why != nil, k.report != nil
				need["undated or unrecorded"] = k.undated != nil || k.unrecorded != ""
			case tests:
				need["saw"], need["keep"] = k.saw != nil, k.start == nil || k.keep != nil
			}
			if k.class != groups {
				need["validate"], need["words"], need["measure"] = k.validate != nil, k.words != nil, k.measure != nil
			}
			for name, has := range need {
				if !has {
					t.Errorf("has no %s", name)
				}
			}
		})
	}
}
