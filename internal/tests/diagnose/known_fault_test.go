package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// TestKnownFaultRecordings: programs whose release has the fault, recorded while they meet it (the release that repairs
// it is wanted), with the repaired release under the same load, and with the faulty one under an ordinary load. Those
// in real/ are by others; testdata/known/programs.txt has the rest.
func TestKnownFaultRecordings(t *testing.T) {
	known, err := checkout.Evidence(t).Cases("known/*")
	if err != nil || len(known) < 25 {
		t.Fatalf("%d folders, want 25 or more (%v)", len(known), err)
	}
	want := map[string]string{
		"real/jwt-5.2.1": "v5.2.2", "real/pond-2.3.2": "v2.3.3", "real/promhttp-1.11.0": "v1.11.1",
		"known/mail-1.25.1": "1.25.10", "known/pem-1.25.1": "1.25.2", "known/html-0.32.0": "v0.33.0",
		"known/yaml-2.2.7": "v2.2.8", "known/jose-4.0.4": "v4.0.5", "known/otelhttp-0.43.0": "v0.44.0",
		"known/otelgrpc-0.45.0": "v0.46.0", "known/sdk-1.35.0": "v1.36.0", "known/otel-1.29.0": "v1.30.0",
		"known/redis-9.17.2": "v9.17.3",
	}
	names := append([]string{"real/jwt-5.2.1", "real/jwt-5.2.2", "real/pond-2.3.2", "real/pond-2.3.4",
		"real/promhttp-1.11.0", "real/promhttp-1.11.1"}, known...)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(judged(t, name).Findings,
				func(f casefile.Finding) bool { return f.Kind == "known-fault" })
			if want[name] == "" && i >= 0 || want[name] != "" && i != 0 {
				t.Fatalf("known-fault is finding %d (-1: none), want it first: %v", i, want[name] != "")
			}
			if i == 0 {
				if title := judged(t, name).Findings[0].Remedies[0].Title; !strings.Contains(title,
					" "+want[name]+" ") {
					t.Errorf("the remedy is %q, want %s", title, want[name])
				}
			}
		})
	}
}
