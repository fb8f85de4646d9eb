package ads

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// An errorReply is the body of every answer that is not a success.
type errorReply struct {
	Error string `json:"error"`
	Field string `json:"field,omitempty"` // the input at fault, of a 400
}

// refuseField answers 400 that names the field, if the error is of one.
func refuseField(w http.ResponseWriter, err error) bool {
	var field *fieldError
	if !errors.As(err, &field) {
		return false
	}
	serve.WriteJSON(w, http.StatusBadRequest, errorReply{Error: err.Error(), Field: field.field})
	return true
}

func (d *Delivery) serveAds(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	select {
	case d.places <- struct{}{}:
		defer func() { <-d.places }()
	default:
		w.Header().Set("Retry-After", "1")
		serve.WriteJSON(w, http.StatusServiceUnavailable,
			errorReply{Error: "too many requests at once; try again in a second"})
		d.metrics.done(refused, time.Since(start))
		return
	}
	d.metrics.done(d.answer(w, r), time.Since(start))
}

// answer answers one request and says how that went.
func (d *Delivery) answer(w http.ResponseWriter, r *http.Request) outcome {
	q, err := parseQuery(r.URL.Query())
	if refuseField(w, err) {
		return badRequest
	}
	considered, degraded, err := d.deliver(r.Context(), &q)
	switch {
	case errors.Is(err, errNoCatalogue):
		serve.WriteJSON(w, http.StatusServiceUnavailable, errorReply{Error: err.Error()})
		return noCatalogue
	case errors.Is(err, context.Canceled):
		return canceled // nobody waits for an answer
	case err != nil:
		serve.WriteJSON(w, http.StatusInternalServerError, errorReply{Error: err.Error()})
		return failed
	}
	w.Header().Set("Content-Type", "application/json")
	// a failed write: the client has gone
	_, _ = w.Write(appendAnswer(make([]byte, 0, 64+q.slots*answerBytes), considered, degraded))
	if degraded != "" {
		return poorlyServed
	}
	return wellServed
}

// answerBytes is about what an ad takes in an answer.
const answerBytes = 110

// appendAnswer writes {"ads":[{"slot":1,"ad":…,"campaign":…,"creative":"…","bid":…},…],"degraded":"…"}. Texts of the
// catalogue are quoted as Go does, which for the creatives' URLs, of printable ASCII, is what JSON wants.
func appendAnswer(to []byte, considered []candidate, degraded string) []byte {
	to = append(to, `{"ads":[`...)
	first := true
	for i := range considered {
		c := &considered[i]
		if c.slot == 0 {
			continue
		}
		if !first {
			to = append(to, ',')
		}
		first = false
		to = strconv.AppendInt(append(to, `{"slot":`...), int64(c.slot), 10)
		to = strconv.AppendInt(append(to, `,"ad":`...), c.ad.ID, 10)
		to = strconv.AppendInt(append(to, `,"campaign":`...), c.campaign.id, 10)
		to = strconv.AppendQuote(append(to, `,"creative":`...), c.ad.Creative)
		to = append(strconv.AppendInt(append(to, `,"bid":`...), c.ad.Bid, 10), '}')
	}
	to = append(to, ']')
	if degraded != "" {
		to = strconv.AppendQuote(append(to, `,"degraded":`...), degraded)
	}
	return append(to, "}\n"...)
}
