package arch

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// TestNoConflictMarkers: no file has what a merge leaves where both sides have changed a line. A page or a golden file
// with markers would pass every other test.
func TestNoConflictMarkers(t *testing.T) {
	marker := regexp.MustCompile(`(?m)^(<{7}|>{7}) `)
	for _, name := range textFiles(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if at := marker.FindIndex(text); at != nil {
			t.Errorf("%s:%d: the rest of a merge", name, 1+bytes.Count(text[:at[0]], []byte("\n")))
		}
	}
}

// otherNames are files whose JSON has names that others have given it.
var otherNames = []string{"app/render/sarif_data.go", "app/escape/remark.go", "app/engine/push.go",
	"app/engine/pyroscope.go", "app/alert/message.go", "app/grafana/annotation.go", "app/browsertest/axe.go", "app/replay/har.go",
	"app/kube/client.go", "app/kube/event.go", "app/kube/list.go", "app/kube/pod.go", "app/kube/kubetest/pods.go",
	"lab/dist/sbom.go"}

// TestJSONNames: our own JSON has names in snake_case.
func TestJSONNames(t *testing.T) {
	tag := regexp.MustCompile("json:\"[^\",]*[A-Z][^\",]*[\",]")
	for _, name := range textFiles(t) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.Contains(name, "testdata") || slices.Contains(otherNames, filepath.ToSlash(name[len("../../../"):])) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range tag.FindAll(text, -1) {
			t.Errorf("%s: %s is not in snake_case", name, found)
		}
	}
}

// textFiles are the repository's files that people write or read.
func textFiles(t *testing.T) (files []string) {
	t.Helper()
	checkout.Need(t)
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "bin"):
			return fs.SkipDir
		case d.Type().IsRegular() && !slices.Contains([]string{".gz", ".png", ".trace", ".zip", ".test"},
			filepath.Ext(path)):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 2000 {
		t.Fatalf("found %d files; the walk is not of the whole repository", len(files))
	}
	return files
}
