package searchall

import (
	"context"
	"strings"
	"sync"
)

type user struct {
	sync.RWMutex
	id, mail string
	age      int
	valid    bool
}

func (u *user) is(mail string) bool { return strings.EqualFold(u.mail, mail) }

type store struct {
	mu     sync.RWMutex
	users  []*user
	byID   map[string]*user
	groups map[string][]*user
}

func (s *store) byMail(mail string) *user {
	for _, u := range s.users { // want `this walks s.users to what matches at each call`
		if u.mail == mail {
			return u
		}
	}
	return nil
}

func (s *store) locked(mail string) *user {
	for _, u := range s.byID { // want `this walks s.byID`
		u.RLock()
		if u.valid && u.is(mail) {
			u.RUnlock()
			return u
		}
		u.RUnlock()
	}
	return nil
}

func (s *store) withPrefix(prefix string) (out []*user) {
	for id, u := range s.byID { // want `all of s.byID is compared at each call`
		if strings.HasPrefix(id, prefix) {
			out = append(out, u)
		}
	}
	return out
}

func (s *store) inGroup(group, id string) (found bool) {
	for _, u := range s.groups[group] { // want `this walks s.groups\[group\]`
		if u.id == id {
			found = true
			break
		}
	}
	return found
}

var routes []string

func route(path string) string {
	for _, r := range routes { // want `all of routes is compared`
		if !strings.HasPrefix(path, r) {
			continue
		}
		return r
	}
	return ""
}

// What follows is fine.

type message struct{ attributes []*user }

func (m *message) attribute(id string) *user {
	for _, a := range m.attributes { // a handful of one message
		if a.id == id {
			return a
		}
	}
	return nil
}

func among(users []*user, id string) *user {
	for _, u := range users { // the caller's
		if u.id == id {
			return u
		}
	}
	return nil
}

func (s *store) allAre(mail string) bool {
	for _, u := range s.users {
		if !u.is(mail) {
			return false
		}
	}
	return true
}

func (s *store) asked(ctx context.Context, mail string) *user {
	for _, u := range s.users {
		if u.has(ctx, mail) {
			return u
		}
	}
	return nil
}

func (s *store) named(part string) (out []*user) {
	for _, u := range s.users {
		if strings.Contains(u.mail, part) {
			out = append(out, u)
		}
	}
	return out
}

func (u *user) has(context.Context, string) bool { return false }

func (s *store) valid() (n int) {
	for _, u := range s.users {
		if u.valid {
			n++
		}
	}
	return n
}

func (s *store) ages() (sum int) {
	for _, u := range s.users {
		sum += u.age
	}
	return sum
}

func (s *store) older(than int) (n int) {
	for _, u := range s.users {
		if u.age > than {
			n++
		}
	}
	return n
}

func (s *store) marked(mail string) {
	for _, u := range s.users {
		u.age++
		if u.mail == mail {
			u.valid = true
		}
	}
}
