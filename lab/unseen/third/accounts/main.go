// Accounts shows what a customer owes, to who knows the password.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"net/http"
	"sync"

	"golang.org/x/crypto/bcrypt"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

type accounts struct {
	mu     sync.Mutex
	hashes map[string][]byte
	known  map[[sha256.Size]byte]bool
}

func (a *accounts) verify(user, password string) bool {
	a.mu.Lock()
	hash, ok := a.hashes[user]
	key := sha256.Sum256(append([]byte(user+"\n"+password+"\n"), hash...))
	known := a.known[key]
	a.mu.Unlock()
	if form.Fixed && known {
		return true
	}
	if !ok || bcrypt.CompareHashAndPassword(hash, []byte(password)) != nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if form.Fixed && len(a.known) < 10_000 {
		a.known[key] = true
	}
	return true
}

// guard lets in who sends a user and a password.
func (a *accounts) guard(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, password, ok := r.BasicAuth()
		if !ok || !a.verify(user, password) {
			w.Header().Set("WWW-Authenticate", `Basic realm="accounts"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		next(w, r)
	}
}

func (a *accounts) balance(w http.ResponseWriter, r *http.Request) {
	user, _, _ := r.BasicAuth()
	fmt.Fprintf(w, "%s owes %d\n", user, len(user)*100)
}

func main() {
	flag.Parse()
	a := &accounts{hashes: make(map[string][]byte), known: make(map[[sha256.Size]byte]bool)}
	for _, user := range []string{"anna", "bert", "cleo"} {
		hash, err := bcrypt.GenerateFromPassword([]byte(user+"'s password"), bcrypt.DefaultCost)
		if err != nil {
			log.Fatal(err)
		}
		a.hashes[user] = hash
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /balance", a.guard(a.balance))
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "ready") })
	web.Serve(mux)
}
