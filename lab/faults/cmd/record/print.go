package main

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/lab/faults/evidence"
)

// printFindings shows what the detectors say of the evidence as it will lie in the repository.
func printFindings(ctx context.Context, m *evidence.Manifest, name string) {
	in := diagnose.Input{Build: m.Build, Started: m.Started, Limits: m.Limits}
	fmt.Printf("== %s\n", name)
	for _, f := range m.Evidence {
		fmt.Printf("   %-24s %6d bytes %s\n", f.File, len(f.Data), f.Note)
		if f.Kind != casefile.Runtime {
			in.Evidence = append(in.Evidence, diagnose.Evidence{
				Name: f.File, Kind: f.Kind, Phase: f.Phase, Seconds: f.Seconds, Taken: f.Taken, Data: f.Data,
			})
		}
	}
	report := diagnose.Run(ctx, in, diagnose.Options{})
	for _, f := range report.Findings {
		fmt.Printf("%3d %-22s %s\n", f.Score, f.Kind, f.Summary)
		for i, w := range f.Where[:min(len(f.Where), 3)] {
			fmt.Printf("      %d. %s:%d %s\n", i+1, w.Function, w.Line, w.Role)
		}
	}
	for _, u := range report.Undecided {
		fmt.Printf("  ? %-22s %s\n", u.Kind, u.Reason)
	}
	for _, p := range report.Problems {
		fmt.Printf("  ! %s: %s\n", p.File, p.Reason)
	}
}
