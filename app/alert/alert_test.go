package alert

import (
	"os"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// parse reads a payload that a sender published (testdata/README.md).
func parse(t *testing.T, f Format, file string) []Alert {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := Parse(f, data, now)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestParsePublished(t *testing.T) {
	a := parse(t, Alertmanager, "alertmanager-v4.json")
	if len(a) != 1 || a[0].Name != "ProbeFailure" || !a[0].Ended.IsZero() ||
		a[0].Key != "alertmanager:1a30ba71cca2921f:2023-02-06T13:08:45.828Z" ||
		a[0].Reason != "alert ProbeFailure (Alertmanager): BlackBox Probe Failure: https://server.example.org; "+
			"severity critical" {
		t.Errorf("Alertmanager's alert is %+v", a)
	}
	old := parse(t, Alertmanager, "alertmanager-v4-old.json")
	if len(old) != 1 || !strings.HasPrefix(old[0].Key, "alertmanager:") || strings.Contains(old[0].Key, "::") ||
		old[0].Labels["dc"] != "eu-west-1" || !strings.Contains(old[0].Reason, "some description") {
		t.Errorf("an alert without a fingerprint is %+v", old)
	}
	g := parse(t, Grafana, "grafana-v1.json")
	if len(g) != 2 || g[0].Name != "High memory usage" || g[0].Labels["zone"] != "us-1" ||
		g[1].Key != "grafana:bc97ff14869b13e3:2021-10-12T07:56:03.157076Z" {
		t.Errorf("Grafana's alerts are %+v", g)
	}
}

// entryOf is a body with one alert.
func entryOf(text string) []byte { return []byte(`{"version":"4","alerts":[` + text + `]}`) }

func TestParse(t *testing.T) {
	const firing = `{"status":"firing","labels":{"alertname":"A"},"startsAt":"2026-11-27T11:00:00Z","fingerprint":"f"}`
	const resolved = `{"status":"resolved","labels":{"alertname":"A"},"startsAt":"2026-11-27T11:00:00Z",
		"endsAt":"2026-11-27T11:30:00Z","fingerprint":"f","new":{"field":[1]}}`
	first, err := Parse(Alertmanager, entryOf(firing), now)
	if err != nil {
		t.Fatal(err)
	}
	ended, err := Parse(Alertmanager, entryOf(resolved), now)
	if err != nil || ended[0].Key != first[0].Key || !ended[0].Ended.Equal(now.Add(-30*time.Minute)) {
		t.Errorf("the end of an alert is %+v, %v; want the key %s", ended, err, first[0].Key)
	}
	again, err := Parse(Alertmanager, entryOf(strings.Replace(firing, "11:00", "11:45", 1)), now)
	if err != nil || again[0].Key == first[0].Key {
		t.Errorf("an alert that fires again has the key of the first time: %+v, %v", again, err)
	}
	id := first[0].ID("a")
	if id == first[0].ID("b") || id == again[0].ID("a") || id != ended[0].ID("a") {
		t.Error("captures must differ by target and by start, and by nothing else")
	}
	openEnd, err := Parse(Alertmanager, entryOf(strings.Replace(resolved, "2026-11-27T11:30", "0001-01-01T00:00", 1)), now)
	if err != nil || !openEnd[0].Ended.Equal(now) {
		t.Errorf("an end without a time is %+v, %v; want now", openEnd, err)
	}
	long, err := Parse(Alertmanager, entryOf(strings.Replace(firing, `"A"`, `"`+strings.Repeat("ä", 5000)+`"`, 1)), now)
	if err != nil || len(long[0].Reason) > maxReason {
		t.Errorf("a long reason has %d bytes, %v", len(long[0].Reason), err)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"no JSON":    {"hello", "not Alertmanager's webhook"},
		"nothing":    {"", "not Alertmanager's webhook"},
		"version 5":  {`{"version":"5"}`, `of version "5"`},
		"no version": {`{}`, `of version ""`},
		"Grafana's":  {`{"version":"1"}`, `of version "1"`},
		"no start":   {`{"version":"4","alerts":[{"status":"firing"}]}`, "alert 0: it has no startsAt"},
		"year 10000": {`{"version":"4","alerts":[{"status":"firing","startsAt":"9999-12-31T23:59:59-23:59"}]}`,
			"alert 0: its startsAt or endsAt"},
		"another status": {`{"version":"4","alerts":[{"status":"pending"}]}`, "want firing or resolved"},
		"a number":       {`{"version":"4","alerts":[{"labels":{"a":1}}]}`, "not Alertmanager's webhook"},
		"too many": {`{"version":"4","alerts":[{}` + strings.Repeat(",{}", MaxAlerts) + `]}`,
			"1000 at most are read"},
	} {
		t.Run(name, func(t *testing.T) {
			if list, err := Parse(Alertmanager, []byte(c.body), now); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v, %v; want an error with %q", list, err, c.want)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	targets := []Target{
		{"t1", "http://10.0.0.1:6060", "example.org/team/shop", map[string]string{"zone": "eu-1"}},
		{"t2", "http://10.0.0.2:6060", "example.org/team/shop", map[string]string{"zone": "us-1"}},
		{"t3", "https://mail.internal/debug/pprof/", "mail", nil},
		{"t4", "http://10.0.0.9:6060", "queue", map[string]string{"team": "blue", "zone": "us-1"}},
	}
	for name, c := range map[string]struct {
		labels map[string]string
		want   string
	}{
		"named by ID":                     {map[string]string{LabelTarget: "t4", "instance": "10.0.0.1:6060"}, "t4"},
		"named by address":                {map[string]string{LabelTarget: "http://10.0.0.1:6060"}, "t1"},
		"named, and not watched":          {map[string]string{LabelTarget: "t9", "job": "mail"}, ""},
		"its instance":                    {map[string]string{"instance": "10.0.0.2:6060", "job": "mail"}, "t2"},
		"its host, with the metrics port": {map[string]string{"instance": "10.0.0.2:9100"}, "t2"},
		"a probe's instance":              {map[string]string{"instance": "https://mail.internal/healthz"}, "t3"},
		"its job, in short":               {map[string]string{"job": "shop"}, "t1 t2"},
		"its service, in a zone":          {map[string]string{"service": "shop", "zone": "us-1"}, "t2"},
		"its service, in another zone":    {map[string]string{"service": "shop", "zone": "ap-1"}, ""},
		"labels alone":                    {map[string]string{"team": "blue", "severity": "page"}, "t4"},
		"labels of several":               {map[string]string{"zone": "us-1"}, "t2 t4"},
		"another instance":                {map[string]string{"instance": "10.9.9.9:6060"}, ""},
		"nothing of a target":             {map[string]string{"alertname": "Watchdog"}, ""},
		"nothing":                         {nil, ""},
		"a part of a name":                {map[string]string{"job": "sho"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, m := range Match(c.labels, targets) {
				got = append(got, m.ID)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%v is about %q, want %q", c.labels, got, c.want)
			}
		})
	}
	var many []Target
	for range 50 {
		many = append(many, targets[2])
	}
	if got := Match(map[string]string{"job": "mail"}, many); len(got) != MostTargets {
		t.Errorf("an alert of 50 instances is about %d of them, want %d", len(got), MostTargets)
	}
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"alertmanager-v4.json", "alertmanager-v4-old.json", "grafana-v1.json"} {
		data, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, format := range []Format{Alertmanager, Grafana} {
			list, err := Parse(format, body, now)
			for i := range list {
				if err == nil && (list[i].Began.IsZero() || len(list[i].Reason) > maxReason || list[i].Ended.After(now)) {
					t.Errorf("%+v", list[i])
				}
				Match(list[i].Labels, []Target{{"t", "http://h:1", "s", map[string]string{"a": "b"}}})
			}
		}
	})
}
