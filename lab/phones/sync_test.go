package phones

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func postSync(g *Gateway, body string) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	g.ServeHTTP(rec, httptest.NewRequest(http.MethodPost, "/sync", strings.NewReader(body)))
	return rec
}

// TestSync walks one gateway, which starts with the users 1 to 500, through changes.
func TestSync(t *testing.T) {
	for name, set := range newSets(t) {
		t.Run(name, func(t *testing.T) {
			g := gatewayOn(t, &backend{}, Config{})
			g.set = set
			for _, step := range []struct {
				body string
				want syncReply
				on   []uint64
				off  []uint64
			}{
				{`{"1":1,"2":0,"3":5,"4":7,"5":-1,"6":6}`, syncReply{6, 5, 0, 5}, []uint64{1, 2, 3, 4, 5}, []uint64{6}},
				{`{"1":6,"2":6,"7":6,"3":1,"8":2}`, syncReply{5, 1, 2, 4}, []uint64{3, 4, 5, 8}, []uint64{1, 2, 7}},
				{`{"1":6,"1":1}`, syncReply{1, 1, 0, 5}, []uint64{1}, nil},
				{`{}`, syncReply{0, 0, 0, 5}, []uint64{1, 3, 4, 5, 8}, nil},
			} {
				rec := postSync(g, step.body)
				var got syncReply
				if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil || rec.Code != http.StatusOK ||
					got != step.want {
					t.Fatalf("%s: %d %s (%v), want 200 %+v", step.body, rec.Code, rec.Body, err, step.want)
				}
				for _, user := range step.on {
					if !g.set.Has(user) {
						t.Errorf("%s: user %d is off, want on", step.body, user)
					}
				}
				for _, user := range step.off {
					if g.set.Has(user) {
						t.Errorf("%s: user %d is on, want off", step.body, user)
					}
				}
			}
		})
	}
}

// TestSyncChangesAnswers: status 6 removes a business' call tracking, another status restores it.
func TestSyncChangesAnswers(t *testing.T) {
	_, where := startAll(t, "-tracking-users", "500")
	item := findItem(t, func(i uint64) bool { return byBusiness(i) && categoryOf(i) == "home" })
	for _, step := range []struct {
		status int
		want   Kind
	}{{6, Real}, {1, CallTracking}} {
		code, body := fetch(t, http.MethodPost, "http://"+where.Listen+"/sync",
			fmt.Sprintf(`{"%d":%d}`, world.owner(item), step.status))
		if code != http.StatusOK {
			t.Fatalf("/sync = %d %s", code, body)
		}
		if _, body := fetch(t, http.MethodGet, "http://"+where.Listen+itemPath(item), ""); decodeAnswer(t,
			body).Kind != step.want {
			t.Errorf("after status %d: %s, want kind %s", step.status, body, step.want)
		}
	}
}

func TestSyncRefuses(t *testing.T) {
	g := gatewayOn(t, &backend{}, Config{})
	for _, tt := range []struct {
		name, body string
		status     int
		field      string
	}{
		{"empty", ``, 400, ""},
		{"not JSON", `{"1":1`, 400, ""},
		{"array", `[1,2]`, 400, ""},
		{"null", `null`, 400, ""},
		{"trailing", `{"1":1}{"2":1}`, 400, ""},
		{"status a string", `{"1":"6"}`, 400, ""},
		{"status a fraction", `{"1":6.5}`, 400, ""},
		{"status null", `{"900":null}`, 400, "900"},
		{"user a name", `{"900":1,"bob":1}`, 400, "user"},
		{"user 0", `{"0":1}`, 400, "user"},
		{"user spelt twice", `{"900":1,"0900":6}`, 400, "user"},
		{"too large", `{"1":` + strings.Repeat(" ", maxSyncBytes) + `1}`, 413, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec := postSync(g, tt.body)
			var got errorReply
			if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
				t.Fatalf("decoding %q: %v", rec.Body, err)
			}
			if rec.Code != tt.status || got.Error == "" || got.Field != tt.field {
				t.Errorf("%d %+v, want %d with field %q", rec.Code, got, tt.status, tt.field)
			}
			if g.set.Has(900) || g.set.Len() != int(world.Tracking) {
				t.Errorf("a refused /sync changed the set: %d users", g.set.Len())
			}
		})
	}
}

func TestSyncFullSet(t *testing.T) {
	g := gatewayOn(t, &backend{}, Config{})
	g.set = &mapSet{limit: 2}
	if rec := postSync(g, `{"1":1,"2":1,"3":1}`); rec.Code != http.StatusRequestEntityTooLarge || g.set.Len() != 0 {
		t.Errorf("/sync over the limit = %d %s with %d users after it, want 413 and none", rec.Code, rec.Body,
			g.set.Len())
	}
}

// TestSyncBusy: a gateway that changes its set as often as it may refuses more changes, and accepts them again
// afterwards.
func TestSyncBusy(t *testing.T) {
	g := gatewayOn(t, &backend{}, Config{})
	for range maxSyncing {
		g.syncing <- struct{}{}
	}
	rec := postSync(g, `{"900":1}`)
	var got errorReply
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil || rec.Code != http.StatusServiceUnavailable ||
		rec.Header().Get("Retry-After") != "1" || !strings.Contains(got.Error, "nothing was done") || g.set.Has(900) {
		t.Errorf("/sync of a busy gateway = %d %s (%v), Retry-After %q; want 503", rec.Code, rec.Body, err,
			rec.Header().Get("Retry-After"))
	}
	<-g.syncing
	if rec := postSync(g, `{"900":1}`); rec.Code != http.StatusOK || !g.set.Has(900) {
		t.Errorf("/sync when there is room again = %d %s, want 200", rec.Code, rec.Body)
	}
}

// FuzzSync: what is accepted contains ids that exist, and off means status 6.
func FuzzSync(f *testing.F) {
	for _, seed := range []string{`{"1":1,"2":6}`, `{}`, `null`, `{"1":6,"1":1}`, `{"007":1}`, `{"1":1e2}`,
		`{"9223372036854775808":1}`, `{"1":null}`, `[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		changes, err := parseSync(body)
		if err != nil {
			return
		}
		var statuses map[string]int64
		if err := json.Unmarshal(body, &statuses); err != nil {
			t.Fatalf("parseSync accepted %q, which is no object of numbers: %v", body, err)
		}
		if len(statuses) != len(changes) {
			t.Fatalf("parseSync(%q) has %d users, want %d", body, len(changes), len(statuses))
		}
		for user, on := range changes {
			if status, ok := statuses[fmt.Sprint(user)]; !ok || user == 0 || on != (status != 6) {
				t.Fatalf("parseSync(%q): user %d is %v with status %d", body, user, on, status)
			}
		}
	})
}
