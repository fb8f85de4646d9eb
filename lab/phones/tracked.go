package phones

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/gocasebook/casebook/lab/serve"
)

// maxTracked is how many users one /tracked may ask about: the sellers of ten pages of search results.
const maxTracked = 500

// maxTracking is how many /tracked requests may be under way: more than ten a CPU only wait for each other.
const maxTracking = 32

// A trackedReply is the body of /tracked.
type trackedReply struct {
	Users []uint64 `json:"users"` // those asked about that have call tracking, in the order in which they were asked
}

// serveTracked says which of some users have call tracking: GET /tracked?users=1,2,3. A page of search results asks it
// for the sellers that it shows, to mark their phones.
func (g *Gateway) serveTracked(w http.ResponseWriter, r *http.Request) {
	users, err := parseUsers(r.URL.Query().Get("users"))
	if err != nil {
		writeError(w, http.StatusBadRequest, errorReply{Error: err.Error(), Field: fieldOf(err)})
		return
	}
	if !g.tracking.enter(w) {
		return
	}
	defer g.tracking.leave()
	reply := trackedReply{Users: []uint64{}} // [] and not null: pages iterate
	for _, user := range users {
		if g.set.Has(user) {
			reply.Users = append(reply.Users, user)
		}
	}
	serve.WriteJSON(w, http.StatusOK, reply)
}

// parseUsers reads ids with commas between them. Its error is a *fieldError.
func parseUsers(s string) ([]uint64, error) {
	n := 1 + strings.Count(s, ",")
	if n > maxTracked {
		return nil, &fieldError{"users", fmt.Sprintf("want at most %d: ask for them in several requests", maxTracked)}
	}
	users := make([]uint64, 0, n)
	for id := range strings.SplitSeq(s, ",") {
		user, err := parseID("users", id)
		if err != nil {
			return nil, err
		}
		users = append(users, user)
	}
	return users, nil
}
