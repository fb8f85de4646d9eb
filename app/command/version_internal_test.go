package command

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	set := func(kv ...string) (s []debug.BuildSetting) {
		for i := 0; i < len(kv); i += 2 {
			s = append(s, debug.BuildSetting{Key: kv[i], Value: kv[i+1]})
		}
		return s
	}
	vcs := set("vcs.revision", "5ed944ae24c45aa5e2855371725993d56d52556c", "vcs.time", "2026-11-22T04:23:24Z",
		"vcs.modified", "false")
	for _, c := range []struct {
		name, version string
		settings      []debug.BuildSetting
		want          string
	}{
		{"installed from a release", "v1.4.0", nil, "v1.4.0"},
		{"installed from a revision", "v0.0.0-20261122042324-5ed944ae24c4", nil, "v0.0.0-20261122042324-5ed944ae24c4"},
		{"built at a tag", "v1.4.0", vcs, "v1.4.0 5ed944ae24c4 2026-11-22"},
		{"built in a checkout", "v0.0.0-20261122042324-5ed944ae24c4", vcs, "devel 5ed944ae24c4 2026-11-22"},
		{"with changes", "v0.0.0-20261122042324-5ed944ae24c4+dirty", append(vcs[:2:2], set("vcs.modified", "true")...),
			"devel 5ed944ae24c4 2026-11-22 modified"},
		{"without git", "(devel)", nil, "devel"},
	} {
		info := debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}
		if got := versionOf(&info); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
