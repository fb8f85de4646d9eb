package command

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"time"
)

// VersionLine returns what `casebook version` and `casebook --version` print.
func VersionLine() string {
	return fmt.Sprintf("%s %s %s/%s", Tool(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// Tool returns this program with its version.
func Tool() string { return "casebook " + Version() }

// Version returns this program's version, as the build recorded it.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return devel
	}
	return versionOf(info)
}

// Committed is when the commit that this program was built of was made; zero where the build recorded none.
func Committed() time.Time {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return time.Time{}
	}
	for _, s := range info.Settings {
		if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
			return at
		}
	}
	return time.Time{}
}

const devel = "devel"

// versionOf is "v1.2.0 5ed944a1b2c3 2026-11-22": the module's version, and of a build in a checkout the revision, its
// date (UTC) and whether files were changed since. Of a checkout Go makes a pseudo-version, which says the same at
// length: devel.
func versionOf(info *debug.BuildInfo) string {
	settings := make(map[string]string, len(info.Settings))
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	text := info.Main.Version
	if text == "" || text == "(devel)" || revision != "" && isPseudo(text) {
		text = devel
	}
	if len(revision) >= 12 {
		text += " " + revision[:12]
	}
	if at := settings["vcs.time"]; len(at) >= len("2006-01-02") {
		text += " " + at[:len("2006-01-02")]
	}
	if settings["vcs.modified"] == "true" {
		text += " modified"
	}
	return text
}

// isPseudo reports whether a version ends as a pseudo-version does: in a commit's time and hash (go.dev/ref/mod).
func isPseudo(version string) bool {
	return regexp.MustCompile(`[-.]\d{14}-[0-9a-f]{12}(\+[a-z]+)?$`).MatchString(version)
}
