package worker

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/lab/draw"
	"github.com/gocasebook/casebook/lab/worker/event"
)

// A world is the made-up site whose users make the events. Everything about an item, a user or an event follows from
// its number, so that the broker's producer, the worker's catalogue and the tests agree without sharing data. Ids start
// at 1.
type world struct {
	items, users uint64
}

// firstEvent is the time of event 0, in ms since 1970; an event a millisecond follows.
const firstEvent = 1_792_000_000_000

var (
	categories = []string{"transport", "real-estate", "jobs", "services", "home", "electronics", "hobby", "animals",
		"business", "clothes"}
	platforms = []string{"android", "ios", "web", "web-mobile"}
	browsers  = []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 " +
			"Safari/537.36",
		"Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Mobile " +
			"Safari/537.36",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_%d like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
			"Version/18.1 Mobile/15E148 Safari/604.1",
		"Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/140.0",
	}
)

// kindShares says how many of 100 events are of a kind: people mostly look.
var kindShares = []struct {
	kind  event.Event_Kind
	share uint64
}{{event.Event_VIEW, 60}, {event.Event_SEARCH, 30}, {event.Event_FAVORITE, 6}, {event.Event_CONTACT, 4}}

// batch makes the n events that follow event number first, as one front end sends them.
func (w world) batch(first uint64, n int) *event.Batch {
	b := &event.Batch{Host: "front-" + strconv.FormatUint(draw.Mix(first)%40, 10),
		SentMs: firstEvent + int64(first) + int64(n)}
	for i := range uint64(n) {
		b.Events = append(b.Events, w.event(first+i))
	}
	return b
}

// event is the i-th. Many users are there at once, so neighbours have little in common but the words.
func (w world) event(i uint64) *event.Event {
	h := draw.Mix(i)
	session := draw.Mix(h % 100_000)
	user := 1 + session%w.users
	e := &event.Event{
		Id: h, AtMs: firstEvent + int64(i), Kind: kindOf(h), User: user,
		Session:   fmt.Sprintf("%016x%016x", session, draw.Mix(session)),
		Region:    regionOf(user),
		Platform:  platforms[session>>8%4],
		UserAgent: fmt.Sprintf(browsers[session>>16%4], 100+session>>24%40),
	}
	if e.Kind == event.Event_SEARCH {
		e.Params = []*event.Param{{Key: "q", Value: query(h)}, {Key: "category", Value: categories[h>>20%10]},
			{Key: "sort", Value: "price"}}
		return e
	}
	e.Item = 1 + draw.Mix(h)%w.items
	e.Position = uint32(h >> 32 % 50)
	e.Referrer = "https://www.example.com/" + e.Region + "/" + categoryOf(e.Item) + "?p=" +
		strconv.FormatUint(h>>40%30, 10)
	e.Params = []*event.Param{{Key: "ab", Value: "ranking-" + strconv.FormatUint(user%8, 10)}}
	return e
}

func kindOf(h uint64) event.Event_Kind {
	percent := h % 100
	for _, k := range kindShares {
		if percent < k.share {
			return k.kind
		}
		percent -= k.share
	}
	return event.Event_UNKNOWN
}

func regionOf(user uint64) string { return "region-" + strconv.FormatUint(draw.Mix(user)%80, 10) }

func categoryOf(item uint64) string { return categories[draw.Mix(item)%uint64(len(categories))] }

// query is what somebody searches for: two or three words.
func query(h uint64) string {
	words := []string{"sofa", "bike", "phone", "flat", "two rooms", "winter tyres", "desk", "cheap", "new",
		"with delivery", "red", "large"}
	var b strings.Builder
	for n := 2 + h>>8%2; n > 0; n-- {
		b.WriteString(words[h>>(8+4*n)%uint64(len(words))])
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}
