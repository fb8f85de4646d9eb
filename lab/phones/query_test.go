package phones

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

func TestPhoneValidation(t *testing.T) {
	g := gatewayOn(t, &backend{}, Config{})
	for _, tt := range []struct{ name, query, field string }{
		{"nothing", "", "user"},
		{"no user", "item=1&category=home&phone=79000000001", "user"},
		{"user 0", "user=0&item=1&category=home&phone=79000000001", "user"},
		{"negative user", "user=-1&item=1&category=home&phone=79000000001", "user"},
		{"leading zero", "user=07&item=1&category=home&phone=79000000001", "user"},
		{"user too large", "user=9223372036854775808&item=1&category=home&phone=79000000001", "user"},
		{"item not a number", "user=1&item=car&category=home&phone=79000000001", "item"},
		{"no category", "user=1&item=1&phone=79000000001", "category"},
		{"unknown category", "user=1&item=1&category=Transport&phone=79000000001", "category"},
		{"no phone", "user=1&item=1&category=home", "phone"},
		{"short phone", "user=1&item=1&category=home&phone=7900000000", "phone"},
		{"long phone", "user=1&item=1&category=home&phone=790000000011", "phone"},
		{"other country", "user=1&item=1&category=home&phone=49000000001", "phone"},
		{"letters", "user=1&item=1&category=home&phone=7900000000x", "phone"},
		{"plus inside", "user=1&item=1&category=home&phone=7%2B900000000", "phone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec := httptest.NewRecorder()
			g.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/phone?"+tt.query, nil))
			var got errorReply
			if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
				t.Fatalf("decoding %q: %v", rec.Body, err)
			}
			if rec.Code != http.StatusBadRequest || got.Field != tt.field || got.Error == "" {
				t.Errorf("%d %+v, want 400 with field %q", rec.Code, got, tt.field)
			}
		})
	}
}

func TestPhoneSpellings(t *testing.T) {
	for _, query := range []string{"phone=79161234567", "phone=%2B79161234567", "phone=+79161234567"} {
		values, err := url.ParseQuery("user=1&item=2&category=transport&" + query)
		if err != nil {
			t.Fatal(err)
		}
		q, err := parseQuery(values)
		if err != nil || q.Phone != 79161234567 || q.User != 1 || q.Item != 2 || !q.Category.anonymous {
			t.Errorf("parseQuery(%s) = %+v, %v", query, q, err)
		}
	}
}

func TestMethods(t *testing.T) {
	g := gatewayOn(t, &backend{}, Config{})
	for _, tt := range []struct {
		method, path string
		want         int
	}{
		{http.MethodPost, "/phone", http.StatusMethodNotAllowed},
		{http.MethodGet, "/sync", http.StatusMethodNotAllowed},
		{http.MethodGet, "/", http.StatusNotFound},
		{http.MethodGet, "/healthz", http.StatusOK},
	} {
		rec := httptest.NewRecorder()
		g.ServeHTTP(rec, httptest.NewRequest(tt.method, tt.path, nil))
		if rec.Code != tt.want {
			t.Errorf("%s %s = %d, want %d", tt.method, tt.path, rec.Code, tt.want)
		}
	}
}

// FuzzQuery: what is accepted has the same meaning when written out and read again.
func FuzzQuery(f *testing.F) {
	f.Add("user=1&item=2&category=transport&phone=%2B79161234567")
	f.Add("user=9223372036854775807&item=1&category=home&phone=+79000000000")
	f.Add("user=&item=0&category=&phone=7")
	f.Add("user=1;item=2&category=%zz")
	f.Fuzz(func(t *testing.T, raw string) {
		values, err := url.ParseQuery(raw)
		if err != nil {
			return
		}
		q, err := parseQuery(values)
		if err != nil {
			if fieldOf(err) == "" {
				t.Fatalf("parseQuery(%q): %v names no field", raw, err)
			}
			return
		}
		if q.User == 0 || q.Item == 0 || q.Phone < firstPhone || q.Phone > lastPhone {
			t.Fatalf("parseQuery(%q) accepted %+v", raw, q)
		}
		written := phonePath(q.User, q.Item, q.Category.name, q.Phone)
		again, err := url.Parse(written)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := parseQuery(again.Query()); err != nil || got != q {
			t.Fatalf("parseQuery(%q) = %+v, written as %q it reads %+v, %v", raw, q, written, got, err)
		}
	})
}
