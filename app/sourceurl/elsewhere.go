package sourceurl

import (
	"regexp"
	"strings"
)

// goRelease is a version of Go that has a tag.
var goRelease = regexp.MustCompile(`^go1\.\d+(\.\d+|rc\d+|beta\d+)?`)

// std returns the address of a file of the standard library, in the version that the build was made with.
func (l *Links) std(file string) string {
	if i := strings.LastIndex(file, "/src/"); i >= 0 {
		file = file[i+len("/src/"):]
	}
	if rooted(file) || climbs(file) || !strings.Contains(file, "/") { // "_cgo_gotypes.go" is nowhere
		return ""
	}
	if tag := goRelease.FindString(l.build.GoVersion); tag != "" {
		return "https://github.com/golang/go/blob/" + tag + "/src/" + escape(file) + "#L" + LineMark
	}
	return "https://go.dev/src/" + escape(file) + "#L" + LineMark
}

// onGitHub is a module that is the root of its repository: the version is the tag then. The tags of a module in a
// folder, and the folder of a /v2, cannot be derived from the path.
var onGitHub = regexp.MustCompile(`^github\.com/[\w.-]+/[\w.-]+$`)

// dependency returns the address of a dependency's file at its version: the line on GitHub where the tag is certain,
// otherwise the package's page. A vendored file has no version and so no address here.
func dependency(pkg, file string) string {
	module, version, inside, ok := inCache(file)
	if !ok || climbs(module) || climbs(inside) || climbs(pkg) || !strings.Contains(module, ".") {
		return ""
	}
	if tag := versionTag(version); onGitHub.MatchString(module) && tag != "" {
		return "https://" + module + "/blob/" + escape(tag) + "/" + escape(inside) + "#L" + LineMark
	}
	if pkg != module && !strings.HasPrefix(pkg, module+"/") {
		pkg = module
	}
	return "https://pkg.go.dev/" + escape(module) + "@" + escape(version) + escape(strings.TrimPrefix(pkg, module)) +
		"#section-sourcefiles"
}

// inCache splits the name of a file in the module cache, or of one that -trimpath made: module@version/file.
func inCache(file string) (module, version, inside string, ok bool) {
	if i := strings.LastIndex(file, "/pkg/mod/"); i >= 0 {
		file = file[i+len("/pkg/mod/"):]
	}
	module, rest, ok := strings.Cut(file, "@v")
	if !ok || module == "" || strings.HasPrefix(module, "/") {
		return "", "", "", false
	}
	version, inside, ok = strings.Cut(rest, "/")
	if !ok || inside == "" {
		return "", "", "", false
	}
	return unescaped(module), "v" + unescaped(version), inside, true
}

// unescaped undoes the module cache's escaping of capitals: "!burnt!sushi" is "BurntSushi".
func unescaped(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '!' && i+1 < len(name) {
			i++
			b.WriteString(strings.ToUpper(name[i : i+1]))
			continue
		}
		b.WriteByte(name[i])
	}
	return b.String()
}
