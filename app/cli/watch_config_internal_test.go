package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// parsed is the command after it has parsed the flags of a command line.
func parsed(t *testing.T, f *watchFlags, args ...string) (*cobra.Command, []string) {
	t.Helper()
	cmd := f.command()
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return cmd, cmd.Flags().Args()
}

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "watch.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const twoTargets = `
# a team's services
interval: 2s
dir: /tmp/cases
keep-cases: 7
label: {zone: eu-1, tier: back}
targets:
  - http://127.0.0.1:6060
  - url: http://127.0.0.1:6061
    service: shop
    interval: 500ms
    label: {zone: eu-2}
    prometheus: http://127.0.0.1:9090/metrics
    metric: ['jobs_total{queue="mail"}', jobs_failed_total]
`

func TestWatchConfig(t *testing.T) {
	var f watchFlags
	cmd, urls := parsed(t, &f, "--config", writeConfig(t, twoTargets), "--keep-cases", "9", "http://127.0.0.1:6062")
	got, err := f.watched(cmd, urls)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0].url != "http://127.0.0.1:6060" || got[1].url != "http://127.0.0.1:6061" ||
		got[2].url != "http://127.0.0.1:6062" {
		t.Fatalf("targets %+v", got)
	}
	first, shop := got[0].flags, got[1].flags
	if first.interval != 2*time.Second || shop.interval != 500*time.Millisecond {
		t.Errorf("intervals %s and %s", first.interval, shop.interval)
	}
	if f.dir != "/tmp/cases" || f.keep.cases != 9 {
		t.Errorf("the whole watch has dir %q and keeps %d cases; want the file's dir and the command line's 9", f.dir,
			f.keep.cases)
	}
	if first.about.labels["zone"] != "eu-1" || shop.about.labels["zone"] != "eu-2" ||
		shop.about.labels["tier"] != "back" {
		t.Errorf("labels %v and %v", first.about.labels, shop.about.labels)
	}
	if first.sources.prometheus != "" || len(shop.sources.metrics) != 2 ||
		shop.sources.metrics[0] != `jobs_total{queue="mail"}` {
		t.Errorf("sources %+v and %+v", first.sources, shop.sources)
	}
	if shop.about.service != "shop" {
		t.Errorf("service %q", shop.about.service)
	}
}

func TestWatchConfigIsJSONToo(t *testing.T) {
	var f watchFlags
	cmd, _ := parsed(t, &f, "--config", writeConfig(t,
		`{"interval": "3s", "rolling": true, "targets": [{"url": "localhost:6060", "profile": "5s"}]}`), "--interval",
		"4s", "--label", "a=b")
	got, err := f.watched(cmd, nil)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	if g := got[0].flags; g.interval != 4*time.Second || !g.rolling || g.profile != 5*time.Second ||
		g.about.labels["a"] != "b" {
		t.Errorf("flags %+v", g)
	}
}

func TestWatchConfigFaults(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":      {"", "is empty"},
		"no map":     {"- a\n", "line 1: must have names and values"},
		"no targets": {"interval: 1s\n", "no targets"},
		"unknown name": {"intervall: 1s\ntargets: [a]\n",
			`line 1: unknown name "intervall"; did you mean interval?`},
		"unknown in a target": {"targets:\n  - ulr: x\n", `line 2: unknown name "ulr"; did you mean url?`},
		"no url":              {"targets:\n  - service: x\n", "line 2: a target needs its url"},
		"whole watch's": {"targets:\n  - url: x\n    webhook: https://a\n",
			"line 3: webhook is for the whole watch"},
		"bad value":             {"targets: [a]\ninterval: soon\n", "line 2:"},
		"twice":                 {"interval: 1s\ninterval: 2s\ntargets: [a]\n", `"interval" is there twice`},
		"all faults at once":    {"a1: 1\nb2: 2\ntargets: [a]\n", "line 2: unknown name \"b2\""},
		"one page, two targets": {"prometheus: http://x/metrics\ntargets: [a, b]\n", "pages of one process"},
		"a zero":                {"interval: 0s\ntargets: [a]\n", "--interval is 0s"},
		"no YAML":               {"targets: [a\n", "yaml: "},
		"two documents":         {"targets: [a]\n---\ntargets: [b]\n", "second document"},
		"config in config":      {"config: x\ntargets: [a]\n", `unknown name "config"`},
		"nested list":           {"metric: [[a]]\ntargets: [a]\n", "the list of metric must have texts"},
	} {
		t.Run(name, func(t *testing.T) {
			var f watchFlags
			cmd, _ := parsed(t, &f, "--config", writeConfig(t, c.text))
			if _, err := f.watched(cmd, nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

// Every flag of watch is either for a target or for the whole watch, and can be set in a file.
func TestWatchConfigTakesEveryFlag(t *testing.T) {
	var f watchFlags
	flags := f.command().Flags()
	for _, name := range []string{"rules", "interval", "rolling", "budget", "service", "label", "prometheus",
		"profile"} {
		if flags.Lookup(name) == nil || ofWholeWatch(name) {
			t.Errorf("%s should be settable for one target", name)
		}
	}
	for _, name := range []string{"webhook", "keep-age", "dir", "json", "once"} {
		if flags.Lookup(name) == nil || !ofWholeWatch(name) {
			t.Errorf("%s should be for the whole watch", name)
		}
	}
}

func FuzzWatchConfig(f *testing.F) {
	f.Add(twoTargets)
	f.Add(`{"targets": [{"url": "localhost:6060", "profile": "5s"}]}`)
	f.Add("a: &x [1]\ntargets: *x\n")
	f.Fuzz(func(t *testing.T, text string) {
		var w watchFlags
		file := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = readWatchFile("--config", file, w.command().Flags())
	})
}
