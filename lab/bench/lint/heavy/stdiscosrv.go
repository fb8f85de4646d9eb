package heavy

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// stdiscosrv tells Syncthing's devices where others are. Behind a proxy that ends TLS, devices announce themselves and
// look for each other.
func stdiscosrv() Service {
	return Service{
		Name: "stdiscosrv", Module: "github.com/syncthing/syncthing", Version: "v1.30.0", Main: "cmd/stdiscosrv",
		Unseen: true,
		Args: []string{"--http", "--listen=127.0.0.1:{port}", "--metrics-listen=127.0.0.1:{other}", "--db-dir={dir}",
			"--db-flush-interval=30s", "--compression"},
		Ready: "/ping",
		Load:  loadStdiscosrv,
	}
}

func loadStdiscosrv(ctx context.Context, on Target) error {
	clients := times(5, func(ctx context.Context, i int) error { return discoverer(ctx, on, i) })
	clients = append(clients, times(1, browser(on, "http://"+on.Other, func(*rand.Rand) request {
		time.Sleep(5 * time.Second)
		return get("/metrics")
	}))...)
	return together(ctx, clients...)
}

// device is the certificate of one of many devices, in DER. The server hashes it only.
func device(i int) []byte {
	der := make([]byte, 0, 512)
	for n := range 16 {
		part := sha256.Sum256(fmt.Append(nil, i, "/", n))
		der = append(der, part[:]...)
	}
	return der
}

// deviceID is a device's name: the hash of its certificate, with a check digit after each 13 letters, in groups of
// seven.
func deviceID(der []byte) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	hash := sha256.Sum256(der)
	plain := base32.StdEncoding.EncodeToString(hash[:])[:52]
	var all strings.Builder
	for at := 0; at < len(plain); at += 13 {
		sum := 0
		for i, c := range plain[at : at+13] {
			n := strings.IndexRune(letters, c) * (1 + i%2)
			sum += n/32 + n%32
		}
		all.WriteString(plain[at : at+13])
		all.WriteByte(letters[(32-sum%32)%32])
	}
	var groups []string
	for id := all.String(); id != ""; id = id[7:] {
		groups = append(groups, id[:7])
	}
	return strings.Join(groups, "-")
}

// discoverer is many devices behind one connection of the proxy: one in five requests announces. One in ten looks for a
// device that nobody has announced.
func discoverer(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 23))
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	const known = 20_000
	for ctx.Err() == nil {
		k := r.IntN(known)
		method, path, body, want := http.MethodGet, "", "", http.StatusOK
		announced := r.IntN(5) == 0
		switch {
		case announced:
			method, path, body, want = http.MethodPost, "/v2/", addresses(r, k), http.StatusNoContent
		case r.IntN(9) == 0:
			k += known
			fallthrough
		default:
			path = "/v2/?" + url.Values{"device": {deviceID(device(k))}}.Encode()
		}
		req, err := http.NewRequestWithContext(ctx, method, "http://"+on.Addr+path, strings.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.%d.%d, 10.0.0.1", k/256%256, k%256))
		req.Header.Set("X-Client-Port", fmt.Sprint(1024+k))
		req.Header.Set("User-Agent", "syncthing/v1.30.0")
		if announced {
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("X-Forwarded-Tls-Client-Cert", url.QueryEscape(base64.StdEncoding.EncodeToString(device(k))))
		} else if r.IntN(2) == 0 {
			req.Header.Set("Accept-Encoding", "gzip")
		}
		res, err := client.Do(req)
		if err != nil {
			on.Seen.Is(ctx.Err() != nil)
			continue
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		on.Seen.Is(res.StatusCode == want || method == http.MethodGet && res.StatusCode == http.StatusNotFound)
	}
	return nil
}

// addresses are those that a device listens at, as it sees them.
func addresses(r *rand.Rand, k int) string {
	list := []string{"tcp://:22000", "quic://0.0.0.0:22000",
		fmt.Sprintf("tcp://192.168.%d.%d:22000", k/250%250, 1+k%250), fmt.Sprintf("tcp://[2001:db8::%x]:22000", k)}
	if r.IntN(2) == 0 {
		list = append(list, "relay://203.0.113.9:22067/?id="+deviceID(device(r.IntN(40))))
	}
	b, _ := json.Marshal(map[string][]string{"addresses": list[r.IntN(2):]}) // texts
	return string(b)
}
