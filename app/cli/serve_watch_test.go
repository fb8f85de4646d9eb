package cli_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/casefile"
)

// A server watches the targets of its flags and of its file, reads the file again, and keeps their cases.
func TestServeWatches(t *testing.T) {
	t.Parallel()
	first, second, dir := start(t), start(t), t.TempDir()
	rules := write(t, "rules.json", anyRule)
	file := write(t, "targets.yaml", "interval: 200ms\nprofile: 1s\ntargets:\n  - url: "+first+
		"\n    service: shop\n    rules: "+rules+"\n    label: {zone: eu-1}\n")
	engine := enginetest.NewPyroscope(t)
	url, end := served(t, "--store", dir, "--target", second, "--targets", file, "--push", "pyroscope://"+engine.Host)
	var got struct {
		Targets []struct{ Service, URL, State string }
		Problem string
	}
	until := func(what string, test func() bool) {
		t.Helper()
		for late := time.Now().Add(patience); !test(); time.Sleep(100 * time.Millisecond) {
			if time.Now().After(late) {
				t.Fatalf("waited in vain for %s; the targets are %+v", what, got)
			}
		}
	}
	targets := func() int {
		got.Problem, got.Targets = "", nil
		get(t, url+"api/v1/targets", &got)
		n := 0
		for _, x := range got.Targets {
			if x.State == "watched" {
				n++
			}
		}
		return n
	}
	until("both targets", func() bool { return targets() == 2 })
	var list struct {
		Cases []struct{ ID, Service string }
	}
	until("a case", func() bool {
		get(t, url+"api/v1/cases?service=shop&label=zone%3Deu-1", &list)
		return len(list.Cases) > 0
	})
	until("the case's profiles in the engine", func() bool {
		return slices.ContainsFunc(engine.Labels(), func(l map[string]string) bool {
			return l["casebook_case"] == list.Cases[0].ID && l["service_name"] == "shop" && l["zone"] == "eu-1"
		})
	})
	if err := os.WriteFile(file, []byte("targets: [torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	until("the problem of the file", func() bool {
		return targets() == 2 && strings.Contains(got.Problem, "targets.yaml")
	})
	if err := os.WriteFile(file, []byte("targets: ["+second+"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	until("the second target alone", func() bool {
		return targets() == 1 && got.Problem == "" && got.Targets[0].URL == second
	})
	end()
	url, end = served(t, "--store", dir)
	var c struct {
		Trigger  struct{ Rule string }
		Evidence []struct{ File, Kind string }
	}
	if code, _ := get(t, url+"api/v1/cases/"+list.Cases[0].ID, &c); code != http.StatusOK || c.Trigger.Rule != "any" {
		t.Errorf("after a new start the case is %d, %+v", code, c)
	}
	page := "cases/" + list.Cases[0].ID
	if _, body := get(t, url+page, nil); !strings.Contains(body, `href="/`+page+`/profile"`) {
		t.Error("the case's page does not lead to the page of its profile")
	}
	at := slices.IndexFunc(c.Evidence, func(e struct{ File, Kind string }) bool { return e.Kind == casefile.Heap })
	if at < 0 { // the CPU profile of a target that does nothing is empty
		t.Fatalf("the evidence is %v, want a heap profile", c.Evidence)
	}
	code, body := get(t, url+page+"/profile?file="+c.Evidence[at].File, nil)
	if code != http.StatusOK || !strings.Contains(body, "go tool pprof") {
		t.Errorf("the page of its profile: %d, %.300s", code, body)
	}
	code, body = get(t, url+page+"/pprof/"+c.Evidence[at].File+"/top", nil)
	if code != http.StatusOK || !strings.Contains(body, "Type: inuse_space") {
		t.Errorf("pprof's page of its profile: %d, %.300s", code, body)
	}
	end()
	if _, err := os.Stat(filepath.Join(dir, "watch")); err != nil {
		t.Error(err)
	}
}

func TestServeRefusesFlags(t *testing.T) {
	store := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"--push without a target": {[]string{"--store", store, "--push", "pyroscope://h"}, "--push is for the cases of --target"},
		"--push to an engine of metrics": {[]string{"--store", store, "--target", "localhost:1", "--push", "prometheus://h"},
			"keeps no profiles"},
		"a target without a store":  {[]string{"--target", "localhost:6060"}, "--target and --kubernetes need --store"},
		"networks of nothing":       {[]string{"--store", store, "--allow", "10.0.0.0/8"}, "--allow is for --target"},
		"a folder of nothing":       {[]string{"--store", store, "--watch-dir", "w"}, "--watch-dir is for"},
		"an engine without a store": {[]string{"--engine", "pyroscope://h"}, "--engine needs --store"},
		"an engine of metrics": {[]string{"--store", store, "--engine", "prometheus://h"},
			"an engine of metrics has no profiles"},
		"an engine twice": {[]string{"--store", store, "--engine", "pyroscope://h?tenant=a", "--engine",
			"pyroscope://h?tenant=a&since=10m"}, "is there twice"},
		"a token for two engines": {[]string{"--store", store, "--engine", "pyroscope://h", "--engine", "parca://g",
			"--engine-bearer-file", write(t, "bearer", "x")}, "sent to several hosts"},
		"a token of nothing": {[]string{"--store", store, "--engine-bearer-file", "f"}, "--engine, which is not given"},
		"no network": {[]string{"--store", store, "--target", "h:1", "--allow", "shop"},
			`"shop" is not a network`},
		"no file": {[]string{"--store", store, "--targets", "/nowhere"}, "--targets"},
		"a file of a watch": {[]string{"--store", store, "--targets", write(t, "t.yaml",
			"webhook: http://h\ntargets: [a]\n")}, "webhook is for casebook watch"},
		"a socket in a file": {[]string{"--store", store, "--targets", write(t, "t.yaml",
			"targets: ['unix:///run/docker.sock']\n")}, "a socket is named by --target alone"},
		"a slip in a file": {[]string{"--store", store, "--targets", write(t, "t.yaml",
			"targets: [{ulr: a}]\n")}, "did you mean url?"},
		"Grafana without a store": {[]string{"--grafana", "http://g"}, "--grafana needs --store"},
		"Grafana without a token": {[]string{"--store", store, "--grafana", "http://g", "--url", "http://h"},
			"--grafana needs --grafana-token-file"},
		"an empty token": {[]string{"--store", store, "--grafana", "http://g", "--url", "http://h", "--grafana-token-file",
			write(t, "token", "")}, "--grafana-token-file"},
		"links of nothing": {[]string{"--store", store, "--url", "http://h"}, "--grafana, which is not given"},
	} {
		t.Run(name, func(t *testing.T) {
			inProcess(t, append([]string{"serve", "--addr", "127.0.0.1:0"}, c.args...)...).want(t, 2, c.want)
		})
	}
}

// The dashboard that docs/serve.md names is served, and is JSON.
func TestServeDashboard(t *testing.T) {
	t.Parallel()
	url, end := served(t, "--store", t.TempDir())
	var d struct{ Title string }
	_, body := get(t, url+"assets/grafana-dashboard.json", nil)
	if err := json.Unmarshal([]byte(body), &d); err != nil || d.Title != "Casebook" {
		t.Errorf("the dashboard is %q, %v", d.Title, err)
	}
	end()
}
