// A service that looks for a user in a slice of 12,000, one after the other.
package main

import (
	"strconv"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

type set struct{ users []uint64 }

func (s *set) contains(user uint64) bool {
	for _, u := range s.users {
		if u == user {
			return true
		}
	}
	return false
}

func handle(s *set, user uint64) string {
	if s.contains(user) {
		return "call-tracking"
	}
	return "real:" + strconv.FormatUint(user, 10)
}

func main() {
	s := &set{}
	for u := range uint64(12_000) {
		s.users = append(s.users, u*31)
	}
	go service.Load(100_000, func(i int) { handle(s, uint64(i)) })
	service.Run()
}
