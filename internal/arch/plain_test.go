package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPlainTests: what package race leaves out under the race detector is tested without it. The packages whose tests
// import package race are those that the Makefile lists as PLAIN.
func TestPlainTests(t *testing.T) {
	var want []string
	for _, p := range slices.Concat(list(t, "../.."), list(t, "../../app"), list(t, "../../lab")) {
		if slices.Contains(slices.Concat(p.TestImports, p.XTestImports), root+"/internal/race") {
			want = append(want, "."+strings.TrimPrefix(p.ImportPath, root))
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^PLAIN +:= ((?:.*\\\n)*.*)$`).FindStringSubmatch(string(text))
	if line == nil {
		t.Fatal("the Makefile has no PLAIN")
	}
	got := strings.Fields(strings.ReplaceAll(line[1], "\\\n", " "))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("the Makefile's PLAIN is %s, want %s", strings.Join(got, " "), strings.Join(want, " "))
	}
}
