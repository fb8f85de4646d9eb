package diagnose

import (
	goversion "go/version"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// versionOf is the release of a module that a function comes from: of another module "", and where nothing says it.
func versionOf(f *stacks.Func, goVersion, module string) string {
	if module != known.GoItself {
		path, version, ok := stacks.ModuleOf(f.File)
		if ok && (path == module || strings.HasSuffix(path, "/"+module)) { // below any GOMODCACHE
			return version
		}
		return ""
	}
	if f.Owner != stacks.Std && f.Owner != stacks.Runtime {
		return ""
	}
	// A toolchain that the go command has fetched is a module: golang.org/toolchain@v0.0.1-go1.25.1.linux-amd64.
	if _, version, ok := stacks.ModuleOf(f.File); ok {
		if _, release, found := strings.Cut(version, "-go"); found {
			release, _, _ = strings.Cut(release, ".linux-")
			return "go" + release
		}
	}
	release, _, _ := strings.Cut(goVersion, " ") // "go1.26.1 X:greenteagc"
	return release
}

// isRelease reports whether a version is a release, and not one before it ("v1.2.0-rc.1"), a commit between two
// ("v1.2.1-0.20250102150405-abcdefabcdef") or a Go with patches ("go1.26.1-acme").
func isRelease(version string) bool {
	if strings.HasPrefix(version, "go") {
		return goversion.IsValid(version) && strings.Trim(version, "go.0123456789") == ""
	}
	_, ok := numbersOf(version)
	return ok
}

// compareVersions compares two releases, of Go or of one module: negative if the first is older.
func compareVersions(a, b string) int {
	if strings.HasPrefix(a, "go") {
		return goversion.Compare(a, b)
	}
	x, _ := numbersOf(a)
	y, _ := numbersOf(b)
	for i := range x {
		if x[i] != y[i] {
			return x[i] - y[i]
		}
	}
	return 0
}

// numbersOf are major, minor and patch of a release.
func numbersOf(version string) (out [3]int, ok bool) {
	version, _ = strings.CutSuffix(version, "+incompatible")
	text, ok := strings.CutPrefix(version, "v")
	parts := strings.Split(text, ".")
	if !ok || len(parts) != len(out) {
		return out, false
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 31)
		if err != nil {
			return out, false
		}
		out[i] = int(n)
	}
	return out, true
}
