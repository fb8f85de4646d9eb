// Package cpu_crypto serves documents to those who have a signed token.
//
// The fault: the token's signature is verified for every request, though it is valid for an hour.
package cpu_crypto

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Door verifies tokens.
type Door struct {
	key       *ecdsa.PrivateKey
	token     string
	signature []byte

	mu       sync.Mutex
	verified map[string]time.Time // until when; nil when nothing is kept
}

func newDoor(keep bool) *Door {
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		panic(err) // the system has no randomness
	}
	d := &Door{key: key, token: "ada, until 2027"}
	sum := sha256.Sum256([]byte(d.token))
	if d.signature, err = ecdsa.SignASN1(rand.Reader, key, sum[:]); err != nil {
		panic(err)
	}
	if keep {
		d.verified = map[string]time.Time{}
	}
	return d
}

// ServeHTTP opens to valid tokens.
func (d *Door) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if !d.known(d.token) && !d.verify(d.token, d.signature) {
		http.Error(w, "the token is not valid", http.StatusForbidden)
		return
	}
	io.WriteString(w, "welcome")
}

func (d *Door) verify(token string, signature []byte) bool {
	sum := sha256.Sum256([]byte(token))
	return ecdsa.VerifyASN1(&d.key.PublicKey, sum[:], signature)
}

// known verifies a token once an hour, where tokens are kept.
func (d *Door) known(token string) bool {
	if d.verified == nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Now().Before(d.verified[token]) {
		return true
	}
	if d.verify(token, d.signature) {
		d.verified[token] = time.Now().Add(time.Hour)
	}
	return false
}

func service(keep bool, perSecond float64) faults.Service {
	return faults.Service{Handler: newDoor(keep), Load: []faults.Call{{Path: "/document", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-crypto", Text: "a token's signature is verified for every request",
		Culprit:  "cpu_crypto.(*Door).verify",
		Faulty:   func() faults.Service { return service(false, 800) },
		Repaired: func() faults.Service { return service(true, 800) },
		Limit:    func() faults.Service { return service(false, 125) },
	}
}
