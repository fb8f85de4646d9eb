package feature

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// forms are the ways to run a compute tier. The first is healthy.
func forms() [][]string {
	return [][]string{
		{},
		{"-join", "decode"},
		{"-cache", "decoded"},
		{"-cache", "decoded", "-join", "decode"},
		{"-cache", "none"},
		{"-cache", "none", "-join", "decode"},
		{"-expiry", "boundary"},
	}
}

// TestComputeForms: whatever the flags, the answers have the same bytes, the first time, from the cache, and out of
// Redis.
func TestComputeForms(t *testing.T) {
	server := startRedis(t)
	paths := []string{"/groups?user=1", "/groups?user=2&names=views,clicks",
		"/groups?user=9007199254740991&names=orders"}
	want := map[string]string{}
	for i, form := range forms() {
		t.Run(strings.Join(form, " "), func(t *testing.T) {
			_, at := startCompute(t, append([]string{"-redis", server.Addr, "-events", "300", "-warm", "5"},
				form...)...)
			waitReady(t, at.Listen)
			for _, path := range paths {
				for range 2 {
					status, body := fetch(t, "http://"+at.Listen+path)
					if i == 0 {
						want[path] = body
					}
					if status != http.StatusOK || body != want[path] {
						t.Fatalf("%s: %d %.200s\nwant %.200s", path, status, body, want[path])
					}
				}
			}
		})
	}
	checkGroups(t, want[paths[1]])
}

// checkGroups checks the answer for the groups clicks and views of user 2, computed from 300 events of three months.
func checkGroups(t *testing.T, body string) {
	t.Helper()
	var got struct {
		User   uint64
		Groups map[string]Group
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatalf("%v: %.200s", err, body)
	}
	if got.User != 2 || len(got.Groups) != 2 || len(got.Groups["views"].Features) != perGroup ||
		got.Groups["clicks"].User != 2 {
		t.Errorf("got user %d and %d groups: %.200s", got.User, len(got.Groups), body)
	}
	var all int64
	for _, f := range got.Groups["views"].Features {
		if strings.HasSuffix(f.Name, "_90d") {
			all += f.Count
		}
	}
	if all != 300 {
		t.Errorf("%d events in the windows of 90 days, want all 300", all)
	}
}

// TestAPIForms: whatever the flags, the API tier's answers have the same bytes.
func TestAPIForms(t *testing.T) {
	_, at := startCompute(t, "-events", "300")
	_, other := startCompute(t, "-events", "300", "-cache", "decoded", "-join", "decode")
	want := map[string]string{}
	for _, form := range [][]string{
		{}, {"-decode", "whole"}, {"-call", "single"}, {"-decode", "whole", "-call", "single"},
	} {
		_, where := startAPI(t, "http://"+at.Listen+",http://"+other.Listen, form...)
		for i := range 6 {
			path := fmt.Sprintf("/features?user=%d&model=%s", 1+i/3, models()[i%3].Name)
			status, body := fetch(t, "http://"+where.Listen+path)
			if want[path] == "" {
				want[path] = body
				checkVector(t, body, models()[i%3])
			}
			if status != http.StatusOK || body != want[path] {
				t.Errorf("%v %s: %d %s\nwant %s", form, path, status, body, want[path])
			}
		}
	}
}

// checkVector compares an answer with what the origin computes.
func checkVector(t *testing.T, body string, m Model) {
	t.Helper()
	var got struct {
		Model  string
		User   uint64
		Values []float64
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.Model != m.Name ||
		len(got.Values) != len(m.Features) {
		t.Fatalf("%v: %s; want %d values of model %s", err, body, len(m.Features), m.Name)
	}
	for i, ref := range m.Features {
		if want := featureOf(got.User, ref, 300); got.Values[i] != want {
			t.Errorf("%s: user %d, %s of %s: %g, want %g", m.Name, got.User, ref.Name, ref.Group, got.Values[i], want)
		}
	}
}

func featureOf(user uint64, ref FeatureRef, events int) float64 {
	for id, name := range groupNames {
		if name == ref.Group {
			for _, f := range compute(newKey(user, groupID(id), 0), events).Features {
				if f.Name == ref.Name {
					return f.Value
				}
			}
		}
	}
	return -1
}

func TestBadRequests(t *testing.T) {
	_, compute := startCompute(t, "-events", "10")
	_, api := startAPI(t, "http://"+compute.Listen)
	for _, tt := range []struct{ url, field string }{
		{compute.Listen + "/groups", "user"},
		{compute.Listen + "/groups?user=0", "user"},
		{compute.Listen + "/groups?user=01", "user"},
		{compute.Listen + "/groups?user=9007199254740992", "user"},
		{compute.Listen + "/groups?user=-1", "user"},
		{compute.Listen + "/groups?user=1&names=views,", "names"},
		{compute.Listen + "/groups?user=1&names=views,views", "names"},
		{compute.Listen + "/groups?user=1&names=%00", "names"},
		{api.Listen + "/features?user=1", "model"},
		{api.Listen + "/features?user=x&model=fraud", "user"},
		{api.Listen + "/features?user=1&model=fraud2", "model"},
	} {
		status, body := fetch(t, "http://"+tt.url)
		var got errorReply
		if err := json.Unmarshal([]byte(body), &got); err != nil || status != http.StatusBadRequest ||
			got.Field != tt.field {
			t.Errorf("%s: %d %s; want 400 and field %s", tt.url, status, body, tt.field)
		}
	}
}
