// Vault checks passwords as they should be checked: slowly. Healthy.
package main

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/subtle"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"
)

const rounds = 60_000

type user struct{ salt, key []byte }

func derive(password string, salt []byte) []byte {
	k, err := pbkdf2.Key(sha256.New, password, salt, rounds, 32)
	if err != nil {
		panic(err)
	}
	return k
}

type vault map[string]user

func (v vault) login(w http.ResponseWriter, r *http.Request) {
	name, password, ok := r.BasicAuth()
	u, known := v[name]
	if !ok || !known || subtle.ConstantTimeCompare(derive(password, u.salt), u.key) != 1 {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	fmt.Fprintln(w, "welcome")
}

func load(base string) {
	for i, t := 0, time.Tick(25*time.Millisecond); ; i++ {
		<-t
		go func() {
			req, _ := http.NewRequest("GET", base+"/login", nil)
			req.SetBasicAuth(fmt.Sprint("user", i%20), "secret")
			if r, err := http.DefaultClient.Do(req); err == nil {
				r.Body.Close()
			}
		}()
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	v := vault{}
	for i := range 20 {
		salt := []byte(fmt.Sprint("salt", i))
		v[fmt.Sprint("user", i)] = user{salt, derive("secret", salt)}
	}
	http.HandleFunc("/login", v.login)
	log.Fatal(http.ListenAndServe(addr, nil))
}
