package phones

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func getTracked(g *Gateway, users string) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	g.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/tracked?users="+users, nil))
	return rec
}

// TestTracked: the gateway starts with the users 1 to 500.
func TestTracked(t *testing.T) {
	for name, set := range newSets(t) {
		t.Run(name, func(t *testing.T) {
			g := gatewayOn(t, &backend{}, Config{})
			if _, _, err := set.Apply(map[uint64]bool{3: true, 500: true, 7: true}); err != nil {
				t.Fatal(err)
			}
			g.set = set
			for asked, want := range map[string]string{
				"500,1,3,9223372036854775807,3": `{"users":[500,3,3]}`,
				"8":                             `{"users":[]}`,
			} {
				if rec := getTracked(g, asked); rec.Code != http.StatusOK ||
					strings.TrimSpace(rec.Body.String()) != want {
					t.Errorf("/tracked?users=%s = %d %s, want %s", asked, rec.Code, rec.Body, want)
				}
			}
		})
	}
}

func TestTrackedRefuses(t *testing.T) {
	g := gatewayOn(t, &backend{}, Config{})
	for name, users := range map[string]string{
		"nothing": "", "a name": "1,bob", "zero": "0", "an empty one": "1,,2",
		"too many": strings.Repeat("1,", maxTracked) + "1",
	} {
		t.Run(name, func(t *testing.T) {
			rec := getTracked(g, users)
			var got errorReply
			if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil || rec.Code != http.StatusBadRequest ||
				got.Field != "users" || got.Error == "" {
				t.Errorf("%d %s (%v), want 400 that names users", rec.Code, rec.Body, err)
			}
		})
	}
	if rec := getTracked(g, strings.Repeat("1,", maxTracked-1)+"1"); rec.Code != http.StatusOK {
		t.Errorf("/tracked of the most that may be asked = %d %s", rec.Code, rec.Body)
	}
}

// TestTrackedBusy: a gateway refuses what is too much, and answers again when there is room.
func TestTrackedBusy(t *testing.T) {
	g := gatewayOn(t, &backend{}, Config{})
	for range maxTracking {
		g.tracking <- struct{}{}
	}
	if rec := getTracked(g, "1"); rec.Code != http.StatusServiceUnavailable || rec.Header().Get("Retry-After") != "1" {
		t.Errorf("/tracked of a busy gateway = %d %s, want 503 with Retry-After", rec.Code, rec.Body)
	}
	g.tracking.leave()
	for range 2 { // a place is returned
		if rec := getTracked(g, "1"); rec.Code != http.StatusOK {
			t.Errorf("/tracked when there is room again = %d %s, want 200", rec.Code, rec.Body)
		}
	}
}

// TestTrackingLoads: the requests of the loads are valid, repeatable, and keep the set's size.
func TestTrackingLoads(t *testing.T) {
	const seed, sellers, users, syncs = 3, 50, 1000, 2 * syncBodies
	page, again := TrackedRequests(seed, sellers), TrackedRequests(seed, sellers)
	tracked := 0
	for i := range uint64(100) {
		ids, err := parseUsers(strings.TrimPrefix(page(i), "/tracked?users="))
		if err != nil || len(ids) != sellers || page(i) != again(i) || page(i) == page(i+1) {
			t.Fatalf("page %d: %d sellers, %v; the same again: %v", i, len(ids), err, page(i) == again(i))
		}
		for _, id := range ids {
			if id <= DefaultTracking {
				tracked++
			}
		}
	}
	wantShare(t, "of sellers with call tracking", tracked, 100*sellers, 0.5)

	body, set := SyncRequests(seed, users), &mapSet{limit: known}
	for i := range uint64(syncs) {
		changes, err := parseSync([]byte(body(i)))
		if err != nil || len(changes) < users*9/10 {
			t.Fatalf("sync %d: %d users, %v", i, len(changes), err)
		}
		if _, _, err := set.Apply(changes); err != nil {
			t.Fatalf("sync %d: %v", i, err)
		}
	}
	wantShare(t, "of the known users that are on", set.Len(), known, 0.5)
}

// TestFormsAnswerAlike: the sick and the cured forms of the call-tracking set give the same bytes for the same
// requests.
func TestFormsAnswerAlike(t *testing.T) {
	page, body := TrackedRequests(1, 200), SyncRequests(1, 300)
	var want []string
	for name, set := range newSets(t) {
		g := gatewayOn(t, &backend{}, Config{})
		g.set = set
		var got []string
		for i := range uint64(40) {
			got = append(got, postSync(g, body(i)).Body.String())
			rec := httptest.NewRecorder()
			g.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, page(i), nil))
			got = append(got, rec.Body.String())
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s answers otherwise than another set", name)
		}
	}
}
