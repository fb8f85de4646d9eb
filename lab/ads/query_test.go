package ads

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestParseQuery(t *testing.T) {
	valid := func() url.Values {
		return url.Values{"user": {"7"}, "topic": {"3"}, "slots": {"8"}, "country": {"DE"}, "categories": {"food,jobs"},
			"keywords": {"a,b,c"}}
	}
	q, err := parseQuery(valid())
	if err != nil || q.user != 7 || q.topic != 3 || q.slots != 8 || q.country != "DE" || len(q.categories) != 2 ||
		len(q.keywords) != 3 {
		t.Errorf("a valid query: %+v, %v", q, err)
	}
	for _, tt := range []struct{ field, value string }{
		{"user", ""}, {"user", "0"}, {"user", "-1"}, {"user", "x"}, {"user", "99999999999999999999"},
		{"topic", "0"}, {"topic", "4294967296"},
		{"slots", "0"}, {"slots", "51"},
		{"country", ""}, {"country", "DEU"},
		{"categories", ""}, {"categories", strings.Repeat("a,", maxCategories)},
		{"keywords", ""}, {"keywords", strings.Repeat("a,", maxKeywords)},
	} {
		v := valid()
		v.Set(tt.field, tt.value)
		if _, err := parseQuery(v); err == nil || !strings.HasPrefix(err.Error(), tt.field+": want ") {
			t.Errorf("%s=%.20q: %v; want what is wanted of %s", tt.field, tt.value, err, tt.field)
		}
	}
}

func TestBadQuery(t *testing.T) {
	_, content := startContent(t)
	_, addr := startDelivery(t, startRedis(t).Addr, content.Listen)
	for path, field := range map[string]string{"/ads": `"field":"user"`,
		"/ads?user=1&topic=1&slots=99": `"field":"slots"`} {
		if status, body := fetch(t, "http://"+addr+path); status != http.StatusBadRequest ||
			!strings.Contains(body, field) {
			t.Errorf("GET %s: %d %s; want 400 and %s", path, status, body, field)
		}
	}
	unknown := "/ads?user=1&topic=999&slots=8&country=DE&categories=food&keywords=a"
	if status, body := fetch(t, "http://"+addr+unknown); status != http.StatusOK || body != `{"ads":[]}`+"\n" {
		t.Errorf("a topic that is not known: %d %s; want no ads", status, body)
	}
}

func FuzzParseQuery(f *testing.F) {
	f.Add("user=7&topic=3&slots=8&country=DE&categories=food&keywords=a,b")
	f.Add("user=7&user=8&topic=%00&slots=+8&country=ÄÖ&categories=,,,&keywords=")
	f.Fuzz(func(t *testing.T, raw string) {
		v, err := url.ParseQuery(raw)
		if err != nil {
			return
		}
		q, err := parseQuery(v)
		if err == nil && (q.user < 1 || q.topic < 1 || q.slots < 1 || q.slots > maxSlots ||
			len(q.keywords) > maxKeywords || len(q.categories) > maxCategories) {
			t.Errorf("%q was taken as %+v", raw, q)
		}
	})
}
