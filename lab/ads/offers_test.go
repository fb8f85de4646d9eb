package ads

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// offersOf asks a content service in the given form for many offers, and returns all answers.
func offersOf(t *testing.T, form ...string) string {
	t.Helper()
	_, where := startContent(t, append([]string{"-reach", "100"}, form...)...)
	request := OfferRequests(testWorld(), 20)
	var all strings.Builder
	for i := range uint64(100) {
		req, err := request(where.Listen, i)
		if err != nil {
			t.Fatal(err)
		}
		status, body := send(t, req)
		if status != http.StatusOK {
			t.Fatalf("request %d: %d %s", i, status, body)
		}
		all.WriteString(body)
	}
	return all.String()
}

// TestContentFormsAnswerAlike: what a client of the content service sees is the same in all forms.
func TestContentFormsAnswerAlike(t *testing.T) {
	want := offersOf(t)
	if n := strings.Count(want, `"ad":`); n < 500 {
		t.Fatalf("100 requests got %d ads, want 500 and more: the test shows little", n)
	}
	for _, form := range [][]string{{"-match", matchNested}, {"-flow-by", flowText}, {"-notes", notesMaps},
		{"-match", matchNested, "-flow-by", flowText, "-notes", notesMaps}} {
		t.Run(strings.Join(form, " "), func(t *testing.T) {
			if got := offersOf(t, form...); got != want {
				t.Errorf("its %d bytes differ from the healthy form's %d", len(got), len(want))
			}
		})
	}
}

// TestOffers: an answer has ads of the topic that are not paused, each once, and few of an advertiser where variety is
// asked for.
func TestOffers(t *testing.T) {
	w := World{Topics: 3, Ads: 400, Campaigns: 40, Keywords: 12, Users: 20}
	config := contentConfig{world: w, reach: 900, match: matchSearch, flowBy: flowNumber, notes: notesSlice}
	c, err := newContent(&config)
	if err != nil {
		t.Fatal(err)
	}
	most := map[bool]int{}
	for _, varied := range []bool{false, true} {
		offers := c.offers(&offerQuery{user: 7, topic: 2, most: 30, varied: varied})
		if len(offers) != 30 {
			t.Fatalf("%d offers, want 30", len(offers))
		}
		ads, advertisers := map[int64]bool{}, map[int64]int{}
		for _, o := range offers {
			ads[o.id] = true
			advertisers[o.advertiser]++
			if o.id/maxAds != 2 || !slices.Contains(c.audiences[7], o.id) {
				t.Errorf("ad %d is not of the topic, or not for the audience", o.id)
			}
		}
		if len(ads) != 30 {
			t.Errorf("%d ads of 30 differ", len(ads))
		}
		most[varied] = slices.Max(slices.Collect(maps.Values(advertisers)))
	}
	if most[false] <= sameAdvertiser || most[true] != sameAdvertiser {
		t.Errorf("up to %d of an advertiser, %d with variety; want more than %d, and %d", most[false], most[true],
			sameAdvertiser, sameAdvertiser)
	}
	if none := c.offers(&offerQuery{user: 7, topic: 4, most: 30}); len(none) != 0 {
		t.Errorf("a topic that does not exist has %d offers", len(none))
	}
}

// TestPaused: no ad of a paused campaign is offered.
func TestPaused(t *testing.T) {
	p := testWorld().publish(1)
	paused := map[string]bool{}
	for _, c := range p.Campaigns {
		paused[c.ID] = c.Paused
	}
	s, err := newStock(p)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, topic := range p.Topics {
		on := s.shelf(topic.ID)
		n += len(topic.Ads) - len(on.ids)
		for _, a := range topic.Ads {
			if slices.Contains(on.ids, a.ID) == paused[a.Campaign] {
				t.Errorf("ad %d of campaign %s, paused %v, is on the wrong side", a.ID, a.Campaign, paused[a.Campaign])
			}
		}
		if !slices.IsSorted(on.ids) {
			t.Errorf("topic %d: its ids do not ascend", topic.ID)
		}
	}
	if n == 0 {
		t.Error("no ad is paused: the test shows little")
	}
}

func TestOfferFields(t *testing.T) {
	_, where := startContent(t)
	for _, tt := range []struct{ query, field string }{
		{"topic=1&most=5", "user"}, {"user=1&most=5", "topic"}, {"user=1&topic=1", "most"},
		{"user=1&topic=1&most=101", "most"}, {"user=-1&topic=1&most=1", "user"},
	} {
		status, body := fetch(t, "http://"+where.Listen+"/offers?"+tt.query)
		var reply errorReply
		if err := json.Unmarshal([]byte(body), &reply); err != nil || status != http.StatusBadRequest ||
			reply.Field != tt.field {
			t.Errorf("%s: %d %s, %v; want 400 that names %s", tt.query, status, body, err, tt.field)
		}
	}
}

func BenchmarkOffers(b *testing.B) {
	world := OfferWorld()
	for _, form := range [][3]string{{matchSearch, flowNumber, notesSlice}, {matchNested, flowNumber, notesSlice},
		{matchSearch, flowText, notesSlice}, {matchSearch, flowNumber, notesMaps}, {matchNested, flowText, notesMaps}} {
		b.Run(fmt.Sprintf("match=%s/flow=%s/notes=%s", form[0], form[1], form[2]), func(b *testing.B) {
			c, err := newContent(&contentConfig{world: world, reach: OfferReach, match: form[0], flowBy: form[1],
				notes: form[2]})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := int64(0); b.Loop(); i++ {
				c.offers(&offerQuery{user: i, topic: int(1 + i%int64(world.Topics)), most: 20})
			}
		})
	}
}

func FuzzParseOfferQuery(f *testing.F) {
	f.Add("user=7&topic=3&most=20&varied=1")
	f.Add("user=7&user=8&topic=%00&most=+8&varied=2")
	f.Fuzz(func(t *testing.T, raw string) {
		v, err := url.ParseQuery(raw)
		if err != nil {
			return
		}
		q, err := parseOfferQuery(v)
		if err == nil && (q.user < 1 || q.topic < 1 || q.most < 1 || q.most > maxOffers) {
			t.Errorf("%q was taken as %+v", raw, q)
		}
	})
}
