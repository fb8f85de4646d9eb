//go:build unix

package supply

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// TestVulncheck runs .ci/vulncheck with tools that end as govulncheck does: 0, 3 with findings, 1 with anything else.
func TestVulncheck(t *testing.T) {
	checkout.Need(t) // a zip stores no execute bits
	tests := []struct {
		name, tool string
		fails      bool
		says       string
	}{
		{"nothing found", "echo No vulnerabilities found.", false, "none that module . reaches"},
		{"a finding", "echo 'Vulnerability #1: GO-2025-0001'; exit 3", true, "GO-2025-0001"},
		{"no network",
			`echo 'govulncheck: fetching vulnerabilities: Get "https://vuln.go.dev/": dial tcp: lookup vuln.go.dev: no such host' >&2; exit 1`,
			false, "NOT checked: the vulnerability database cannot be reached"},
		{"no answer in time", "echo 'Get \"https://vuln.go.dev\": net/http: TLS handshake timeout' >&2; exit 1",
			false, "NOT checked"},
		{"code that does not build", "echo 'govulncheck: loading packages: undefined: x' >&2; exit 1", true,
			"undefined: x"},
		{"a finding beside a word of the network", "echo 'GO-2025-0002: net: dial tcp leaks'; exit 3", true,
			"GO-2025-0002"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tool := filepath.Join(t.TempDir(), "govulncheck")
			if err := os.WriteFile(tool, []byte("#!/bin/sh\n"+test.tool+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("../../../.ci/vulncheck", ".")
			cmd.Env = append(os.Environ(), "GOVULNCHECK="+tool)
			out, err := cmd.CombinedOutput()
			if (err != nil) != test.fails || !strings.Contains(string(out), test.says) {
				t.Errorf("it ended with %v and said %q; want failure %v and %q", err, out, test.fails, test.says)
			}
		})
	}
}
