// A sign-up service that compiles its regular expression for every request.
package main

import (
	"encoding/json"
	"regexp"
	"runtime/debug"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

type signUp struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

func handle(body []byte) bool {
	var s signUp
	if json.Unmarshal(body, &s) != nil {
		return false
	}
	return valid(s.Email)
}

func valid(email string) bool {
	re := regexp.MustCompile(`^[a-zA-Z0-9._%+-]+@([a-zA-Z0-9-]+\.)+(com|org|net|info|[a-z]{2})$`)
	return re.MatchString(email)
}

func main() {
	debug.SetGCPercent(400) // as services with a small heap run
	body := []byte(`{"name":"Ann","email":"ann.smith@example.com"}`)
	go service.Load(25_000, func(int) { handle(body) })
	service.Run()
}
