package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A body that another system has not is found there, in code and in tests, and is right at home.
func TestCheck(t *testing.T) {
	for name, inTest := range map[string]bool{"in code": false, "in a test": true} {
		t.Run(name, func(t *testing.T) {
			dir, file, head, sig := t.TempDir(), "kill.go", "package p\n\nimport \"syscall\"\n", "func kill()"
			if inTest {
				file, head, sig = "kill_test.go", "package p\n\nimport (\n\"syscall\"\n\"testing\"\n)\n", "func TestKill(*testing.T)"
			}
			for name, content := range map[string]string{
				"go.mod": "module example.com/p\n\ngo 1.25\n",
				"p.go":   "package p\n",
				file:     head + sig + " { _ = syscall.Kill(1, 0) }\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if n, err := check(dir, "linux"); n == 0 || err != nil {
				t.Errorf("%d packages, %v", n, err)
			}
			if _, err := check(dir, "windows"); err == nil || !strings.Contains(err.Error(), "syscall.Kill") {
				t.Errorf("on Windows: %v, want that syscall has no Kill", err)
			}
		})
	}
}
