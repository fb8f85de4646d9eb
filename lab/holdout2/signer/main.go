// Signer signs digests for a build farm.
package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha512"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"
)

type keyring map[string]*ecdsa.PrivateKey

func (k keyring) sign(w http.ResponseWriter, r *http.Request) {
	key, ok := k[r.PathValue("key")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := sha512.New384()
	if _, err := io.Copy(h, r.Body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	sig, err := ecdsa.SignASN1(rand.Reader, key, h.Sum(nil))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, hex.EncodeToString(sig))
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	artefact := bytes.Repeat([]byte("build"), 8<<10)
	for range 4 {
		go func() {
			for {
				res, err := client.Post(url+"/sign/release", "application/octet-stream", bytes.NewReader(artefact))
				if err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(6 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	keys := make(keyring)
	for _, name := range []string{"release", "nightly"} {
		key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
		if err != nil {
			log.Fatal(err)
		}
		keys[name] = key
	}
	http.HandleFunc("POST /sign/{key}", keys.sign)
	log.Fatal(http.ListenAndServe(addr, nil))
}
