package diagnose

import (
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
