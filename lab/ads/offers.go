package ads

import (
	"net/http"
	"net/url"
	"strconv"
)

// An offerQuery asks the content service which ads a page may show to a user.
type offerQuery struct {
	user   int64
	topic  int
	most   int  // ads in the answer
	varied bool // no more than sameAdvertiser ads of an advertiser
}

const (
	maxOffers      = 100 // ads in an answer
	sameAdvertiser = 2   // ads of an advertiser in an answer that has to be varied
)

// parseOfferQuery reads user, topic, most and, if it is there, varied. Its error is a *fieldError.
func parseOfferQuery(v url.Values) (q offerQuery, err error) {
	if q.user, err = parseNumber(v, "user", 1<<62); err != nil {
		return q, err
	}
	topic, err := parseNumber(v, "topic", 1<<31)
	if err != nil {
		return q, err
	}
	most, err := parseNumber(v, "most", maxOffers)
	q.topic, q.most, q.varied = int(topic), int(most), v.Get("varied") == "1"
	return q, err
}

// serveOffers answers with the best ads of a topic that the user's audience may see and that flow control lets through
// now. A topic that does not exist has none.
func (c *content) serveOffers(w http.ResponseWriter, r *http.Request) {
	q, err := parseOfferQuery(r.URL.Query())
	if refuseField(w, err) {
		return
	}
	offers := c.offers(&q)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(appendOffers(make([]byte, 0, 16+len(offers)*answerBytes),
		offers)) // a failed write: the client has gone
}

// offers are the best ads for q, the best first.
func (c *content) offers(q *offerQuery) []*offer {
	shelf := c.page.Load().stock.shelf(q.topic)
	allowed := c.audiences[q.user%int64(len(c.audiences))]
	return c.rank(q, shelf, c.common(shelf.ids, allowed), c.flows)
}

// appendOffers writes {"offers":[{"ad":…,"campaign":…,"creative":"…","bid":…},…]}.
func appendOffers(to []byte, offers []*offer) []byte {
	to = append(to, `{"offers":[`...)
	for i, o := range offers {
		if i > 0 {
			to = append(to, ',')
		}
		to = strconv.AppendInt(append(to, `{"ad":`...), o.id, 10)
		to = strconv.AppendInt(append(to, `,"campaign":`...), o.campaign, 10)
		to = strconv.AppendQuote(append(to, `,"creative":`...), o.creative)
		to = append(strconv.AppendInt(append(to, `,"bid":`...), o.bid, 10), '}')
	}
	return append(to, "]}\n"...)
}
