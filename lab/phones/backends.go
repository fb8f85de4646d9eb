package phones

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/draw"
	"github.com/gocasebook/casebook/lab/serve"
)

// The answers of the three upstreams. The gateway needs one or two fields of each; the others are what such a service
// also says.

// An itemAnswer is what the item service says of a listing.
type itemAnswer struct {
	Item     uint64   `json:"item"`
	User     uint64   `json:"user"`
	Category Category `json:"category"`
	Phone    string   `json:"phone"` // the seller's own, 11 digits
	Verified bool     `json:"verified"`
}

// A connectionAnswer is what the user service says of a user's anonymous number.
type connectionAnswer struct {
	User      uint64 `json:"user"`
	Connected bool   `json:"connected"`
	Phone     string `json:"phone,omitempty"` // 11 digits, when connected
	Provider  string `json:"provider,omitempty"`
}

// A trackingAnswer is what the call-tracking service says of a real phone.
type trackingAnswer struct {
	Phone    string `json:"phone"`    // the real one
	Tracking string `json:"tracking"` // the one that counts calls
	Campaign uint64 `json:"campaign"`
}

// A backend is how the upstreams behave: each call takes a time of their latency, and some fail.
type backend struct {
	latency   latency
	errorRate float64 // share of the calls that are answered with 500
	seed      uint64
	calls     atomic.Uint64
}

// handler is an upstream's mux around answer, which gives the value to send, or false for 404.
func (b *backend) handler(pattern string, answer func(*http.Request) (any, bool)) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		wait, fail := b.next()
		if serve.Sleep(r.Context(), wait) != nil {
			return // the caller has gone
		}
		if fail {
			writeError(w, http.StatusInternalServerError, errorReply{Error: "failing as asked by -error-rate"})
			return
		}
		value, ok := answer(r)
		if !ok {
			writeError(w, http.StatusNotFound, errorReply{Error: "not known"})
			return
		}
		serve.WriteJSON(w, http.StatusOK, value)
	})
	return mux
}

// next draws the time and the fate of a call. The i-th call of a seed is always the same.
func (b *backend) next() (wait time.Duration, fail bool) {
	h := draw.Mix(b.seed ^ b.calls.Add(1))
	return b.latency.at(draw.Unit(h)), draw.Unit(draw.Mix(h)) < b.errorRate
}

// items is the item service: GET /items/{item}/phone?user=U.
func (b *backend) items() http.Handler {
	return b.handler("GET /items/{item}/phone", func(r *http.Request) (any, bool) {
		item, ok := pathID(r.PathValue("item"))
		user, userOK := pathID(r.URL.Query().Get("user"))
		return itemAnswer{item, user, categoryOf(item), realPhone(item).Digits(), true}, ok && userOK
	})
}

// users is the user service: GET /users/{user}/connection.
func (b *backend) users() http.Handler {
	return b.handler("GET /users/{user}/connection", func(r *http.Request) (any, bool) {
		user, ok := pathID(r.PathValue("user"))
		if !hasAnonymous(user) {
			return connectionAnswer{User: user}, ok
		}
		return connectionAnswer{user, true, anonymousPhone(user).Digits(), "voice-1"}, ok
	})
}

// tracking is the call-tracking service: GET /tracking?phone=7….
func (b *backend) tracking() http.Handler {
	return b.handler("GET /tracking", func(r *http.Request) (any, bool) {
		real, err := ParsePhone(r.URL.Query().Get("phone"))
		return trackingAnswer{real.Digits(), trackingPhone(real).Digits(), draw.Mix(uint64(real)) % 1e6}, err == nil
	})
}

// pathID reads an id that exists: 1 to maxID.
func pathID(s string) (uint64, bool) {
	id, err := strconv.ParseUint(s, 10, 64)
	return id, err == nil && id >= 1 && id <= maxID
}
