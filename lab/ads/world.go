package ads

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// A World is the made-up ads, pages and users. It is arithmetic on numbers, so that the content service and the load
// agree without sharing data.
type World struct {
	Topics    int // of pages, from 1
	Ads       int // of each topic
	Campaigns int // of all
	Keywords  int // of each ad
	Users     int // from 1
}

// DefaultWorld has 15,000 ads.
func DefaultWorld() World {
	return World{Topics: 50, Ads: 300, Campaigns: 5000, Keywords: 12, Users: 200_000}
}

// What a topic's ads and pages are about.
const (
	topicWords = 150  // keywords that belong to a topic
	allWords   = 3000 // of the world
)

func countries() []string {
	return []string{"AT", "BE", "BR", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GB", "IE", "IT", "JP", "MX", "NL",
		"NO", "PL", "PT", "SE"}
}

func categories() []string {
	return []string{"autos", "books", "family", "fashion", "finance", "food", "gardens", "health", "homes", "jobs",
		"sports", "travel"}
}

// random is the source of all that is drawn for one thing of a kind.
func random(kind, id uint64) *rand.Rand { return rand.New(rand.NewPCG(kind, id)) }

// The kinds of things.
const (
	wordKind uint64 = iota
	topicKind
	adKind
	campaignKind
	requestKind
	audienceKind
	flowKind
	offerKind
)

// word makes the n-th keyword, of two to five syllables.
func word(n int) string {
	const consonants, vowels = "bcdfghklmnprstvz", "aeiou"
	r := random(wordKind, uint64(n))
	var text []byte
	for range 2 + r.IntN(4) {
		text = append(text, consonants[r.IntN(len(consonants))], vowels[r.IntN(len(vowels))])
	}
	return string(strconv.AppendInt(text, int64(n%10), 10)) // few words are the same
}

// vocabulary is the keywords of a topic.
func vocabulary(topic int) []string {
	r := random(topicKind, uint64(topic))
	out := make([]string, topicWords)
	for i := range out {
		out[i] = word(r.IntN(allWords))
	}
	return out
}

// publish makes the catalogue of a version. From one version to the next other campaigns are paused, one in fifty.
func (w World) publish(version int64) *published {
	p := &published{Version: version}
	for i := range w.Campaigns {
		r := random(campaignKind, uint64(i))
		advertiser := 1 + r.Int64N(int64(w.Campaigns))
		paused := (r.Int64N(50)+version)%50 == 0
		p.Campaigns = append(p.Campaigns, publishedCampaign{campaignName(i), advertiser, paused})
	}
	for topic := 1; topic <= w.Topics; topic++ {
		p.Topics = append(p.Topics, w.topic(topic))
	}
	return p
}

// campaignName is the id of the i-th campaign: numbers far apart, of nine digits.
func campaignName(i int) string { return strconv.Itoa(100_000_000 + i*7919) }

// adID is the id of the i-th ad of a topic.
func adID(topic, i int) int64 { return int64(topic)*maxAds + int64(i) }

func (w World) topic(topic int) publishedTopic {
	words := vocabulary(topic)
	t := publishedTopic{ID: topic, Ads: make([]publishedAd, w.Ads)}
	for i := range t.Ads {
		id := adID(topic, i)
		r := random(adKind, uint64(id))
		t.Ads[i] = publishedAd{
			ID: id, Campaign: campaignName(r.IntN(w.Campaigns)), Bid: 50 + r.Int64N(2000),
			Countries: some(r, countries(), 3, 4), Categories: some(r, categories(), 4, 3),
			Keywords: pick(r, words, w.Keywords),
			Cap:      r.Int64N(10) * 2, Creative: fmt.Sprintf("https://cdn.example.com/creatives/%d/%08x.webp", topic,
				r.Uint32()),
		}
	}
	return t
}

// some picks 1 to most of all, or none for one in oneIn.
func some(r *rand.Rand, all []string, oneIn, most int) []string {
	if r.IntN(oneIn) == 0 {
		return nil
	}
	return pick(r, all, 1+r.IntN(most))
}

// pick picks n of all, each once; all when there are not as many.
func pick(r *rand.Rand, all []string, n int) []string {
	out := make([]string, 0, n)
	for _, i := range r.Perm(len(all)) {
		if len(out) == n {
			break
		}
		if !slices.Contains(out, all[i]) {
			out = append(out, all[i])
		}
	}
	return out
}

// Args are the flags of the content service that publishes this world.
func (w World) Args() []string {
	return []string{"-topics", strconv.Itoa(w.Topics), "-ads", strconv.Itoa(w.Ads),
		"-campaigns", strconv.Itoa(w.Campaigns), "-keywords", strconv.Itoa(w.Keywords)}
}
