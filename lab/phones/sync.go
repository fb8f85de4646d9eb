package phones

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/gocasebook/casebook/lab/serve"
)

// maxSyncBytes bounds the body of one /sync: about 400,000 users, three times the article's forecast.
const maxSyncBytes = 8 << 20

// maxSyncing is how many /sync requests may be under way. Each holds a body and its users in memory, some MB, and they
// change the set one after the other; more are refused with 503.
const maxSyncing = 8

// statusOff is the status that switches a user's call tracking off; every other one switches it on.
const statusOff = 6

// A syncReply says what one /sync did.
type syncReply struct {
	Received int `json:"received"` // users in the request
	Added    int `json:"added"`    // were off, are on
	Removed  int `json:"removed"`  // were on, are off
	Users    int `json:"users"`    // on now
}

// serveSync takes {user id: status} and changes the call-tracking set. Either all of a request is applied or nothing.
func (g *Gateway) serveSync(w http.ResponseWriter, r *http.Request) {
	if !g.syncing.enter(w) {
		return
	}
	defer g.syncing.leave()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSyncBytes))
	if err != nil {
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			writeError(w, http.StatusRequestEntityTooLarge, errorReply{
				Error: fmt.Sprintf("the body is over %d bytes: send the users in several requests", maxSyncBytes)})
			return
		}
		writeError(w, http.StatusBadRequest, errorReply{Error: "reading the body: " + err.Error()})
		return
	}
	changes, err := parseSync(body)
	if err != nil {
		writeError(w, http.StatusBadRequest, errorReply{Error: err.Error(), Field: fieldOf(err)})
		return
	}
	added, removed, err := g.set.Apply(changes)
	if err != nil {
		writeError(w, http.StatusRequestEntityTooLarge, errorReply{
			Error: fmt.Sprintf("%v: it may hold %d users; nothing was changed", err, maxSetUsers)})
		return
	}
	g.metrics.syncAdded.Add(float64(added))
	g.metrics.syncRemoved.Add(float64(removed))
	serve.WriteJSON(w, http.StatusOK, syncReply{Received: len(changes), Added: added, Removed: removed,
		Users: g.set.Len()})
}

// parseSync reads {"123": 1, "456": 6}: whether each user's call tracking is on. Of a user named twice the last counts.
func parseSync(body []byte) (map[uint64]bool, error) {
	var statuses map[string]*int64
	if err := json.Unmarshal(body, &statuses); err != nil {
		return nil, fmt.Errorf("want a JSON object {user id: status}: %w", err)
	}
	if statuses == nil {
		return nil, errors.New("want a JSON object {user id: status}, not null")
	}
	changes := make(map[uint64]bool, len(statuses))
	for name, status := range statuses {
		user, err := parseID("user", name)
		if err != nil {
			return nil, err
		}
		if status == nil {
			return nil, &fieldError{name, "want a status: a whole number"}
		}
		changes[user] = *status != statusOff
	}
	return changes, nil
}
