package feature

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestGroupJSON: the hand-written encoder writes what encoding/json writes.
func TestGroupJSON(t *testing.T) {
	for _, events := range []int{0, 1, 5000} {
		g := compute(newKey(77, 2, 0), events)
		want, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendGroup(nil, g); !bytes.Equal(got, want) {
			t.Errorf("%d events:\n%.300s\nwant\n%.300s", events, got, want)
		}
	}
}

func TestParseGroups(t *testing.T) {
	for s, want := range map[string]string{"": "[clicks orders searches views]", "views": "[views]",
		"views,clicks": "[clicks views]"} {
		if got, err := parseGroups(s); err != nil || fmt.Sprint(got) != want {
			t.Errorf("parseGroups(%q) = %v, %v; want %s", s, got, err, want)
		}
	}
}

func TestKey(t *testing.T) {
	k := newKey(maxUser, 3, 0)
	if k.user() != maxUser || k.group() != 3 || redisKey(k) != "f:views:9007199254740991" {
		t.Errorf("key of user %d, group %d, %s", k.user(), k.group(), redisKey(k))
	}
	at := lifetime{expireKeyed, time.Minute}.of(time.Date(2026, 11, 23, 15, 4, 59, 0, time.UTC))
	k = newKey(12, 0, at)
	if k.user() != 12 || k.group() != 0 || redisKey(k) != "f:clicks:12:20261123T150400" {
		t.Errorf("with the minute: key of user %d, group %d, %s", k.user(), k.group(), redisKey(k))
	}
	if at := (lifetime{expireBoundary, time.Minute}).of(time.Now()); at != 0 {
		t.Errorf("keys have the period %d, and should have none", at)
	}
}

// TestLifetime: with the boundary everything ends at once. With jitter, ends are spread over half a period, and none is
// later than a period.
func TestLifetime(t *testing.T) {
	now := time.Unix(1_700_000_017, 0)
	if got := (lifetime{expireBoundary, time.Minute}).deadline(now); got != time.Unix(1_700_000_040, 0) ||
		got.Second() != 0 {
		t.Errorf("boundary: %v, want the next full minute", got)
	}
	if at := time.Unix(1_700_000_040, 0); (lifetime{expireBoundary, time.Minute}).deadline(at) != at.Add(time.Minute) {
		t.Error("on the boundary itself: want the next")
	}
	var tenths [10]int
	for range 10_000 {
		left := (lifetime{expireJitter, time.Minute}).deadline(now).Sub(now)
		if left <= 30*time.Second || left > time.Minute {
			t.Fatalf("jitter: %v, want from half a minute to a minute", left)
		}
		tenths[(left-30*time.Second-1)/(3*time.Second)]++
	}
	for i, n := range tenths {
		if n < 800 || n > 1200 { // 6.7 standard deviations
			t.Errorf("jitter: %d of 10,000 in tenth %d, want about 1000", n, i)
		}
	}
}

func TestCaches(t *testing.T) {
	for _, name := range []string{cacheDecoded, cacheSegments} {
		t.Run(name, func(t *testing.T) {
			c, err := newLocalCache(name, 2000)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			data := func(user uint64) []byte { return appendGroup(nil, compute(newKey(user, 0, 0), 50)) }
			for user := range uint64(4000) {
				if err := c.Set(newKey(user+1, 0, 0), data(user+1), time.Now().Add(time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
			if n := c.Len(); n < 1000 || n > 2000 {
				t.Errorf("holds %d groups after 4,000 for room of 2,000", n)
			}
			if got, hit := c.Append([]byte("x"), newKey(4000, 0, 0)); !hit || string(got) != "x"+string(data(4000)) {
				t.Errorf("the last: %.100s, %v; want it behind what was there", got, hit)
			}
			if got, hit := c.Append([]byte("x"), newKey(9999, 0, 0)); hit || string(got) != "x" {
				t.Errorf("one that is not there: %s, %v", got, hit)
			}
			if err := c.Set(newKey(1, 1, 0), data(1), time.Now()); err != nil {
				t.Fatal(err)
			}
			if _, hit := c.Append(nil, newKey(1, 1, 0)); hit {
				t.Error("one past its deadline is found")
			}
		})
	}
}

func TestStored(t *testing.T) {
	k, deadline := newKey(12, 1, 0), time.UnixMilli(1_700_000_000_123)
	text := string(appendStored(nil, stored{appendGroup(nil, compute(k, 9)), deadline}))
	got, err := parseStored(k, text)
	if err != nil || !got.deadline.Equal(deadline) || !json.Valid(got.data) {
		t.Errorf("%v %v %.60s; want what was stored", got.deadline, err, got.data)
	}
	for name, bad := range map[string]string{"empty": "", "short": "1234567", "cut off": text[:len(text)-1]} {
		if _, err := parseStored(k, bad); !errors.Is(err, errMoved) {
			t.Errorf("%s: %v, want errMoved", name, err)
		}
	}
	if _, err := parseStored(newKey(2, 1, 0), text); !errors.Is(err, errMoved) {
		t.Errorf("of user 12 for user 2: %v, want errMoved", err)
	}
}

// TestPauses: the share and the mean are as asked for.
func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pauses{share: 0.01, mean: 40 * time.Millisecond}
		start, paused := time.Now(), 0
		for range 100_000 {
			before := time.Now()
			if err := p.next(t.Context()); err != nil {
				t.Fatal(err)
			}
			if time.Now().After(before) {
				paused++
			}
		}
		if mean := time.Since(start) / time.Duration(paused); paused < 800 || paused > 1200 ||
			mean < 32*time.Millisecond || mean > 48*time.Millisecond { // six times what chance gives
			t.Errorf("%d of 100,000 calls paused, %v in the mean; want about 1,000 and 40ms", paused, mean)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		always := pauses{share: 1, mean: time.Hour}
		if err := always.next(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("a pause of a caller who has gone: %v", err)
		}
	})
}

// FuzzRead: whatever comes, the quick reader does not panic, and what it accepts as an answer has a number for each
// feature.
func FuzzRead(f *testing.F) {
	good := string(answerOf(1))
	for _, seed := range []string{good, good + " ", good + "}", good[:len(good)-2],
		strings.ReplaceAll(good, ",", " ,\n"), strings.ReplaceAll(good, `"value"`, `"v"`),
		`{"groups":{"orders":{"features":[{"name":"amount_1d","value":inf}]}}}`, `{"a":,}`, `{"groups":[]}`,
		`{"a":"\\\""}`, `{"a":[{"b":[1,2]},null,-1.5e3]}`, "{", "", `"`} {
		f.Add([]byte(seed))
	}
	p := plans()["pricing"]
	f.Fuzz(func(t *testing.T, body []byte) {
		vector := make([]float64, len(p.model.Features))
		if err := p.read(decodeFields, body, vector); err != nil {
			return
		}
		for i, v := range vector {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("feature %d is %g", i, v)
			}
		}
	})
}

// FuzzReadersAgree: from what encoding/json writes, both readers get the same numbers.
func FuzzReadersAgree(f *testing.F) {
	f.Add("amount_7d", 1.5, int64(-3), false)
	f.Add(`a"b\`, -1e300, int64(0), true)
	p := plans()["fraud"]
	f.Fuzz(func(t *testing.T, name string, value float64, count int64, indent bool) {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return
		}
		groups := map[string]any{name: map[string]any{"features": nil, name: []any{name, value, nil}}}
		for _, g := range allGroups() {
			group := compute(newKey(9, g, 0), 20)
			group.Features = append(group.Features, &Feature{count, name, value})
			groups[g.String()] = group
		}
		body, err := json.Marshal(answer{groups, 9})
		if indent {
			body, err = json.MarshalIndent(answer{groups, 9}, "\t", "  ")
		}
		if err != nil {
			t.Fatal(err)
		}
		whole, fields := make([]float64, len(p.model.Features)), make([]float64, len(p.model.Features))
		if err := p.read(decodeWhole, body, whole); err != nil {
			t.Fatal(err)
		}
		if err := p.read(decodeFields, body, fields); err != nil || !slices.Equal(whole, fields) {
			t.Errorf("%v\n%v\nwant\n%v", err, fields, whole)
		}
	})
}

// answerOf is the compute tier's answer for all groups of a user.
func answerOf(user uint64) []byte {
	b := appendOpen(nil)
	for i, g := range allGroups() {
		b = appendGroup(appendName(b, i, g), compute(newKey(user, g, 0), 200))
	}
	return appendClose(b, user)
}

func BenchmarkRead(b *testing.B) {
	p := plans()["ranking"]
	body := answerOf(1)
	vector := make([]float64, len(p.model.Features))
	for _, decode := range decodeNames {
		b.Run("decode="+decode, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if err := p.read(decode, body, vector); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
