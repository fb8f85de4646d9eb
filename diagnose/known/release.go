package known

import (
	goversion "go/version"
	"strconv"
	"strings"
)

// IsRelease reports whether a version is a release, and not one before it ("v1.2.0-rc.1"), a commit between two
// ("v1.2.1-0.20250102150405-abcdefabcdef") or a Go with patches ("go1.26.1-acme").
func IsRelease(version string) bool {
	if strings.HasPrefix(version, "go") {
		return goversion.IsValid(version) && strings.Trim(version, "go.0123456789") == ""
	}
	_, ok := numbersOf(version)
	return ok
}

// CompareReleases compares two releases, of Go or of one module: negative if the first is older.
func CompareReleases(a, b string) int {
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

// Newer is the newest release of a module that the rows name, as the one they were read in or as what mends a fault; ""
// where that is not newer than a release, or what is given is none.
func Newer(module, release string) string {
	newest := release
	advices, _ := Advices()
	for _, a := range advices {
		for _, m := range a.Modules {
			named := []string{m.Version}
			if a.About == AboutFault {
				named = append(named, strings.Fields(a.Subject)...)
			}
			for _, v := range named {
				if m.Path == module && IsRelease(v) && CompareReleases(v, newest) > 0 {
					newest = v
				}
			}
		}
	}
	if newest == release || !IsRelease(release) {
		return ""
	}
	return newest
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
