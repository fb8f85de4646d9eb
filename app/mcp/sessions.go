package mcp

import (
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxSessions bounds the sessions over HTTP: clients that go without a word leave theirs until sessionTime, and each holds
// what the protocol keeps for it.
const maxSessions = 64

const sessionHeader = "Mcp-Session-Id"

// sessions lets one end for each that begins when there are too many: of those that only began, if there are any, and
// then of all, the one of which nothing was asked for longest. A client whose session has ended is answered 404 and
// begins another, as the protocol says.
type sessions struct {
	of *sdk.Server

	mu    sync.Mutex // guards what follows
	known map[string]*session
}

// A session is what is known of one that has begun.
type session struct {
	asked int // requests, the one that began it and the client's "initialized" included
	now   int // requests that are being answered
	last  time.Time
}

// greetings are the requests of a session in which nothing was asked yet.
const greetings = 2

func (s *sessions) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(sessionHeader)
		if r.Method != http.MethodPost { // a stream that waits for what there may be, or a client that leaves
			next.ServeHTTP(w, r)
			return
		}
		if id == "" {
			s.makeRoom()
			next.ServeHTTP(w, r)
			if id = w.Header().Get(sessionHeader); id != "" {
				s.count(id, 1)
				s.count(id, -1)
			}
			return
		}
		s.count(id, 1)
		defer s.count(id, -1)
		next.ServeHTTP(w, r)
	})
}

// count notes that a request of a session begins, or ends.
func (s *sessions) count(id string, more int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.known[id]
	if one == nil {
		if more < 0 || len(s.known) > 4*maxSessions { // it has ended; or somebody makes names up
			return
		}
		one = &session{}
		s.known[id] = one
	}
	if more > 0 {
		one.asked++
	}
	one.now, one.last = one.now+more, time.Now()
}

// makeRoom ends sessions until one more fits.
func (s *sessions) makeRoom() {
	for _, one := range s.surplus() {
		_ = one.Close() // its client may have gone
	}
}

// surplus are those that have to end, and forgets those that have.
func (s *sessions) surplus() (end []*sdk.ServerSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := map[string]*sdk.ServerSession{}
	for one := range s.of.Sessions() {
		live[one.ID()] = one
	}
	for id, one := range s.known {
		if live[id] == nil && one.now == 0 {
			delete(s.known, id)
		}
	}
	for len(live) >= maxSessions {
		id, found := "", (*session)(nil)
		for each := range live {
			one := s.known[each]
			switch {
			case one == nil: // it is beginning
			case one.now == 0 && (found == nil || one.before(found)):
				id, found = each, one
			}
		}
		if found == nil {
			return end
		}
		end = append(end, live[id])
		delete(live, id)
		delete(s.known, id)
	}
	return end
}

// before reports whether a session ends before another does.
func (s *session) before(other *session) bool {
	if began, otherBegan := s.asked <= greetings, other.asked <= greetings; began != otherBegan {
		return began
	}
	return s.last.Before(other.last)
}
