package fix

import (
	"maps"
	"slices"

	"github.com/gocasebook/casebook/app/fix/rewrite"
)

// suggestions are the checks of casebook lint that suggest an edit, with the kinds of findings that it is a cure of.
func suggestions() map[string][]string {
	return map[string][]string{
		"regexpinfunc":   {"regexp-compile"},
		"templateinfunc": {"template-parse", "alloc-loop-invariant"},
		"buildpercall":   {"alloc-loop-invariant"},
		"leakysender":    {"goroutine-leak", "goroutine-stuck"},
		"maphint":        {"alloc-map-temp", "alloc-grow", "alloc-site", "cpu-map-hash"},
		"sprintfkey":     {"alloc-fmt", "cpu-map-hash"},
		"splitone":       {"alloc-site", "alloc-bytes-string"},
		"perfsprint":     {"alloc-fmt", "alloc-boxing"},
		"stringsbuilder": {"alloc-string-concat", "cpu-quadratic"},
		"stringsseq":     {"alloc-site"},
		"stringscut":     {"alloc-site"},
		"slicescontains": {},
		"mapsloop":       {},
		"slicessort":     {"cpu-sort", "cpu-reflect"},
		"fmtappendf":     {"alloc-fmt"},
		"reflecttypefor": {"cpu-reflect"},
		"S1025":          {"alloc-fmt"},
		"S1028":          {"alloc-fmt"},
		"S1039":          {"alloc-fmt"},
		"S1011":          {"alloc-grow"},
		"S1018":          {"cpu-copy"},
		"S1030":          {"alloc-bytes-string"},
		"S1035":          {},
		"S1036":          {"cpu-map-hash"},
		"SA6005":         {"alloc-bytes-string", "alloc-site"},
	}
}

func suggests(check string) bool { _, ok := suggestions()[check]; return ok }

// checksOf are the checks whose suggestion cures a kind of finding.
func checksOf(kind string) (out []string) {
	for _, check := range slices.Sorted(maps.Keys(suggestions())) {
		if slices.Contains(suggestions()[check], kind) {
			out = append(out, check)
		}
	}
	return out
}

// A Cure is a row of casebook fix --list.
type Cure struct {
	Name   string   `json:"name"`
	Does   string   `json:"does"`
	Price  string   `json:"price,omitempty"`
	Kinds  []string `json:"kinds"`
	Checks []string `json:"checks"`
}

// Cures lists what can be fixed: the rewriters, then the checks with a suggestion of their own.
func Cures() (out []Cure) {
	some := func(s []string) []string { return append([]string{}, s...) } // [] in JSON, not null
	for _, r := range rewrite.All() {
		out = append(out, Cure{r.Name, r.Doc, r.Price, some(r.Kinds), some(r.Checks)})
	}
	for _, check := range slices.Sorted(maps.Keys(suggestions())) {
		out = append(out, Cure{check, "what the check of casebook lint suggests", "", some(suggestions()[check]),
			[]string{check}})
	}
	return out
}

// Settings are kinds whose cure is a setting, and not a change of the code.
func Setting(kind string) string {
	switch kind {
	case "gc-frequency", "gc-cpu", "gc-assist":
		return "set GOGC, or GOMEMLIMIT with GOGC=off, in the environment: the finding's remedy has the value"
	case "gc-death-spiral", "mem-limit-near":
		return "raise GOMEMLIMIT in the environment: the finding's remedy has the value"
	case "gc-ballast":
		return "take the ballast out, and set GOMEMLIMIT in the environment"
	}
	return ""
}
