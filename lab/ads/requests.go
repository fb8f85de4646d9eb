package ads

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// A Page is what the requests of a load ask for.
type Page struct {
	Slots    int
	Keywords int // that the page and its user bring
}

// DefaultPage has eight slots.
func DefaultPage() Page { return Page{Slots: 8, Keywords: 30} }

// Requests describes a load: the function it returns makes the i-th request to the delivery service at addr
// ("127.0.0.1:8080"). The same arguments make the same requests. It may be called from many goroutines.
func Requests(w World, p Page) func(addr string, i uint64) (*http.Request, error) {
	words := make([][]string, w.Topics+1)
	for topic := range w.Topics {
		words[topic+1] = vocabulary(topic + 1)
	}
	return func(addr string, i uint64) (*http.Request, error) {
		r := random(requestKind, i)
		topic := 1 + r.IntN(w.Topics)
		first := r.IntN(len(words[topic])) // the page's keywords are neighbours in the vocabulary, which has no order
		v := url.Values{
			"user": {strconv.Itoa(1 + r.IntN(w.Users))}, "topic": {strconv.Itoa(topic)},
			"slots":      {strconv.Itoa(p.Slots)},
			"country":    {countries()[r.IntN(len(countries()))]},
			"categories": {strings.Join(pick(r, categories(), 3), ",")},
			"keywords":   {strings.Join(around(words[topic], first, p.Keywords), ",")},
		}
		return http.NewRequest(http.MethodGet, "http://"+addr+"/ads?"+v.Encode(), nil)
	}
}

// OfferWorld and OfferReach are what the content service is loaded with: each topic has a thousand ads, and an audience
// may see one in five.
func OfferWorld() World {
	return World{Topics: 20, Ads: 1000, Campaigns: 5000, Keywords: 12, Users: 200_000}
}

// OfferReach: see OfferWorld.
const OfferReach = 4000

// OfferRequests describes a load of the content service as Requests does of the delivery service. One request in ten
// asks for variety.
func OfferRequests(w World, most int) func(addr string, i uint64) (*http.Request, error) {
	return func(addr string, i uint64) (*http.Request, error) {
		r := random(offerKind, i)
		v := url.Values{
			"user": {strconv.Itoa(1 + r.IntN(w.Users))}, "topic": {strconv.Itoa(1 + r.IntN(w.Topics))},
			"most": {strconv.Itoa(most)},
		}
		if r.IntN(10) == 0 {
			v.Set("varied", "1")
		}
		return http.NewRequest(http.MethodGet, "http://"+addr+"/offers?"+v.Encode(), nil)
	}
}

// around is n of all from one on, beginning again at the end; all when there are not as many.
func around(all []string, from, n int) []string {
	n = min(n, len(all))
	return append(append(make([]string, 0, n), all[from:min(from+n, len(all))]...), all[:max(from+n-len(all), 0)]...)
}
