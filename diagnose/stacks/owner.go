package stacks

import (
	"path"
	"strings"
)

// An Owner says whose code a function is, which decides who can change it.
type Owner uint8

// The owners.
const (
	User       Owner = iota // the main module, and source trees beside it
	Dependency              // another module, or code that is not Go
	Std                     // the standard library
	Runtime                 // the runtime, the packages that belong to it, and what cgo writes around a call
)

func (o Owner) String() string {
	return [...]string{"user", "dependency", "std", "runtime"}[o]
}

// ownerOf tells whose code a package is. The build's module path decides where it is known; without it a file in the
// module cache or in a vendor folder is a dependency's, and the rest is the user's.
func ownerOf(name, pkg, file, module string) Owner {
	switch {
	case isRuntime(pkg, file), cgoStub(name, pkg):
		return Runtime
	case pkg == "main":
		return User
	case pkg == "":
		return Dependency // C, or a frame without a symbol
	case isStd(pkg, file), inlinedStd(pkg, file):
		return Std
	case module != "" && (pkg == module || strings.HasPrefix(pkg, module+"/")):
		return User
	case isLibraryOfCasebook(pkg) && module != casebookModule:
		return Dependency
	case strings.Contains(file, "@v") || strings.Contains(file, "/vendor/") || strings.Contains(file, "/external/"):
		return Dependency
	case file == "" && (module != "" || strings.Contains(firstElement(pkg), ".")):
		return Dependency
	}
	return User
}

func isRuntime(pkg, file string) bool {
	switch pkg {
	case "runtime", "internal/bytealg", "internal/cpu", "internal/abi", "internal/chacha8rand", "gogo":
		return true
	case "":
		// Assembly without a package (memeqbody, aeshashbody) lies in the runtime or in internal/bytealg.
		return strings.HasSuffix(file, ".s") || strings.Contains(file, "/runtime/")
	}
	return strings.HasPrefix(pkg, "internal/runtime/") || strings.HasPrefix(pkg, "runtime/internal/") || generated(pkg)
}

// cgoStub reports whether a function is one of those that cgo writes into the package that imports "C": one for each C
// function ("main._Cfunc_weigh"), and what it needs beside. Nobody can change them.
func cgoStub(name, pkg string) bool {
	rest := strings.TrimPrefix(name, pkg)
	return strings.HasPrefix(rest, "._Cfunc_") || strings.HasPrefix(rest, "._cgo")
}

// generated reports whether a package is of what the compiler writes for a type: "type:.eq.example.com/app.key" compares and
// hashes keys ("type..eq." before Go 1.20).
func generated(pkg string) bool {
	return strings.HasPrefix(pkg, "type:.") || strings.HasPrefix(pkg, "type..")
}

// inlinedStd reports whether a function of another package lies in a file of the standard library: a function literal of the
// library's is named after the function that the code around it was inlined into ("example.com/app.price.(*Logger).Printf.func1"
// in log/log.go). A file whose folder ends the package's path is that package's own.
func inlinedStd(pkg, file string) bool {
	file = strings.ReplaceAll(file, `\`, "/")
	if i := strings.LastIndex(file, "/go/src/"); i >= 0 {
		file = file[i+len("/go/src/"):]
	}
	dir := path.Dir(file)
	return dir != "." && stdRoots(firstElement(dir)) && !strings.HasSuffix("/"+pkg, "/"+dir)
}

// isStd reports whether a package is the standard library's: its first element is one of the library's, and so is that
// of the file's folder, when it is known, below GOROOT/src/ or with -trimpath.
func isStd(pkg, file string) bool {
	if !stdRoots(firstElement(pkg)) {
		return false
	}
	if file == "" || strings.HasPrefix(file, "_cgo") {
		return true
	}
	// The folder may be another package's: sync.runtime_SemacquireMutex lies in runtime, by go:linkname.
	dir := path.Dir(strings.ReplaceAll(file, `\`, "/"))
	if i := strings.LastIndex(dir, "/src/"); i >= 0 {
		dir = dir[i+len("/src/"):]
	}
	return stdRoots(firstElement(dir))
}

func firstElement(pkg string) string {
	first, _, _ := strings.Cut(pkg, "/")
	return first
}

// stdRoots reports whether the first element of an import path is one of the standard library's.
func stdRoots(first string) bool {
	switch first {
	case "archive", "bufio", "builtin", "bytes", "cmd", "cmp", "compress", "container", "context", "crypto",
		"database", "debug", "embed", "encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image",
		"index", "internal", "io", "iter", "log", "maps", "math", "mime", "net", "os", "path", "plugin", "reflect",
		"regexp", "runtime", "slices", "sort", "strconv", "strings", "structs", "sync", "syscall", "testing", "text",
		"time", "unicode", "unique", "unsafe", "vendor", "weak":
		return true
	}
	return false
}

// cachedModule is the module of a file in the module cache: "github.com/foo/bar" of
// ".../pkg/mod/github.com/foo/bar@v1.2.3/cmd/x/main.go", also with -trimpath, where the path begins at the module.
func cachedModule(file string) (string, bool) {
	mod, _, ok := strings.Cut(file, "@v")
	if !ok {
		return "", false
	}
	if i := strings.LastIndex(mod, "/pkg/mod/"); i >= 0 {
		mod = mod[i+len("/pkg/mod/"):]
	}
	return unescapeModule(mod), mod != ""
}

// unescapeModule undoes the module cache's escaping of capitals: "!burnt!sushi" is "BurntSushi".
func unescapeModule(mod string) string {
	if !strings.Contains(mod, "!") {
		return mod
	}
	var b strings.Builder
	for i := 0; i < len(mod); i++ {
		if mod[i] == '!' && i+1 < len(mod) {
			i++
			b.WriteString(strings.ToUpper(mod[i : i+1]))
			continue
		}
		b.WriteByte(mod[i])
	}
	return b.String()
}
