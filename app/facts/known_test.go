package facts

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// kafka is a stack on which a row of package known stands: Writer.BatchTimeout.
func kafka(version string) []Stack {
	return []Stack{{Frames: []Frame{
		{Function: "github.com/segmentio/kafka-go.(*Writer).WriteMessages", Line: 674, Owner: Dependency,
			File: "/root/go/pkg/mod/github.com/segmentio/kafka-go@" + version + "/writer.go"},
		{Function: "main.(*api).click", File: "/build/main.go", Line: 24, Owner: User}}}}
}

// TestKnownStandsAtFacts: a row speaks where a fact of its sort stands at its function, names what it is about, and has
// the change; nowhere else.
func TestKnownStandsAtFacts(t *testing.T) {
	s := &Sheet{Facts: []Fact{{ID: "W1", Sort: Wait, Harm: 0.8, Stacks: kafka("v0.4.47")},
		{ID: "W2", Sort: Wait, Harm: 0.2, Stacks: kafka("v0.4.47")}}}
	s.addModules()
	s.addKnown()
	i := slices.IndexFunc(s.Facts, func(f Fact) bool {
		return f.Sort == Known && strings.Contains(f.Text, "BatchTimeout")
	})
	if i < 0 {
		t.Fatalf("no row: %+v", s.Facts)
	}
	f := s.Facts[i]
	if !slices.Equal(f.Of, []string{"W1", "W2"}) || f.Harm != 0.8 || len(f.Cure) == 0 {
		t.Errorf("%+v", f)
	}
	if at, _ := f.Place(); at.Line != 674 {
		t.Errorf("it stands at %+v", at)
	}
	if !slices.Equal(s.Modules, []Module{{"github.com/segmentio/kafka-go", "v0.4.47"}}) {
		t.Errorf("modules %v", s.Modules)
	}
	for _, sort := range []Sort{Felt, Signal, Machine, Judged, Missing} {
		s := &Sheet{Facts: []Fact{{ID: "X1", Sort: sort, Stacks: kafka("v0.4.47")}}}
		if s.addKnown(); len(s.Facts) != 1 {
			t.Errorf("a row speaks at a fact of sort %s", sort)
		}
	}
}

// TestFaultsHoldForTheirReleases: what only some releases do badly is said of these alone.
func TestFaultsHoldForTheirReleases(t *testing.T) {
	for version, want := range map[string]bool{"v2.0.0": true, "v2.1.0": false,
		"v2.0.1-0.20250102150405-abcdefabcdef": false} {
		s := &Sheet{Facts: []Fact{{ID: "H1", Sort: Hold, Harm: 0.8, Stacks: []Stack{{Frames: []Frame{{Owner: Dependency,
			Function: "github.com/dgraph-io/ristretto/v2.(*expirationMap).add", Line: 1,
			File: "/root/go/pkg/mod/github.com/dgraph-io/ristretto/v2@" + version + "/ttl.go"}}}}}}}
		s.addKnown()
		said := slices.ContainsFunc(s.Facts, func(f Fact) bool {
			return strings.Contains(f.Text, "a fault of releases before v2.1.0")
		})
		if said != want {
			t.Errorf("%s: a fault is said: %t, want %t", version, said, want)
		}
	}
}

// TestSettingsAreOfAList: settings are those of a list, whatever an environment holds.
func TestSettingsAreOfAList(t *testing.T) {
	doc := `{"effective":{"gogc":"50","gomemlimit":"1073741824","gomaxprocs":2},
		"environment":{"GOGC":"50","PASSWORD":"hunter2"},"system":{"cpus":8},
		"settings":{"-race":"true","-ldflags":"-X main.key=hunter2"}}`
	got := settingsOf(diagnose.Input{Limits: casefile.Limits{CPUQuota: 1.5, OpenFiles: 1024},
		Evidence: []diagnose.Evidence{{Kind: casefile.Runtime, Data: []byte(doc)}, {Data: []byte("no JSON")}}})
	for _, want := range []Setting{{"GOGC", "50"}, {"GOMEMLIMIT", "1 GiB"}, {"GOMAXPROCS", "2"}, {"-race", "true"},
		{"CPU quota", "1.5"}, {"open files", "1024"}} {
		if !slices.Contains(got, want) {
			t.Errorf("no %v in %v", want, got)
		}
	}
	for _, s := range got {
		if strings.Contains(s.Value, "hunter2") {
			t.Errorf("a secret is a setting: %v", s)
		}
	}
}
