package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

func readJSON[T any](t testing.TB, name string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(readProof(t, name), &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

func readProof(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/proof", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func sampleLoad(t testing.TB, name string) *load.File {
	t.Helper()
	f, err := load.ReadFile(filepath.Join("testdata/proof", name))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sampleComparison is the complete measurement of testdata/proof.
func sampleComparison(t testing.TB) Comparison {
	t.Helper()
	c := OfProof(readJSON[casefile.Proof](t, "proof.json"), readJSON[[]prove.Block](t, "blocks.json"))
	again := Curve(nil)
	for _, side := range []struct {
		name string
		to   *Curve
	}{{"a.json", nil}, {"b.json", nil}, {"a2.json", &again}} {
		l, err := sampleLoad(t, side.name).Total.Latency.Latency()
		if err != nil {
			t.Fatal(err)
		}
		if side.to != nil {
			*side.to = LatencyCurve(l)
			continue
		}
		c.Latency = append(c.Latency, LatencyCurve(l))
	}
	c.Noise = BandBetween(c.Latency[0], again)
	cpu := c.figure(prove.CPUPerRequest)
	c.Profiles = []ProfilePair{{Name: "CPU per request", Kind: casefile.CPU, Before: readProof(t, "cpu-before.pb.gz"),
		After:       readProof(t, "cpu-after.pb.gz"),
		LevelBefore: cpu.Before.Value, LevelAfter: cpu.After.Value, Unit: vitals.Seconds, Noise: cpu.Effect.Noise}}
	c.Machine = []Fact{{"CPU", "Intel Xeon, 2 of its threads"}, {"Cores", "2, no quota"}, {"Kernel", "Linux 6.12"},
		{"Go", "go1.26.8 linux/amd64"}}
	c.Commands = append(c.Commands, Command{"Measure both",
		"casebook prove --a './server -serve before' --b './server -serve after' --rate 700 /items"})
	c.Promise = "GC003 had promised 20–26 % of cpu; measured were 24 %."
	return c
}

// sampleCaptures is what two captures have: findings, figures without a verdict, and profiles without a known level.
func sampleCaptures(t testing.TB) Comparison {
	t.Helper()
	c := sampleComparison(t)
	c.Title, c.Verdict, c.Promise, c.Latency, c.Noise, c.Round = "incident.zip against healthy.zip", "", "", nil, nil,
		"sample"
	for i := range c.Figures {
		f := &c.Figures[i]
		f.Verdict, f.Effect, f.Note, f.P, f.Key = "", nil, "", 1, false
	}
	c.Profiles[0].LevelBefore, c.Profiles[0].LevelAfter, c.Profiles[0].Noise = 0, 0, 0
	c.Findings = &Changes{
		Against: []Evidence{{"cpu", "96 samples over 10 s", "208 samples over 10 s"},
			{"heap", "", "642,099 live objects, 90.8 MiB"}},
		List: []Change{
			{State: "new", Score: "– → 75", Title: "The garbage collector takes 40 % of the CPU",
				Summary: "0.083 of 0.21 cores", Where: "github.com/shop/images.(*Studio).resize"},
			{State: "gone", Score: "52 → –", Title: "Goroutines wait for a lock", Note: "the capture was shorter"},
		},
	}
	return c
}

func (c *Comparison) figure(name string) *Measured {
	for i := range c.Figures {
		if c.Figures[i].Name == name {
			return &c.Figures[i]
		}
	}
	return nil
}
