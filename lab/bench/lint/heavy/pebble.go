package heavy

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// pebble is the ACME server that clients of Let's Encrypt are tested with: accounts order certificates for two or three
// names, answer a challenge for each and fetch the chain. It takes each challenge for met, and does not wait.
func pebble() Service {
	return Service{
		Name: "pebble", Module: "github.com/letsencrypt/pebble/v2", Version: "v2.10.3", Main: "cmd/pebble", Unseen: true,
		Args:    []string{"-config", "{dir}/pebble.json"},
		OnOther: true,
		Env:     []string{"PEBBLE_VA_NOSLEEP=1", "PEBBLE_VA_ALWAYS_VALID=1", "PEBBLE_WFE_NONCEREJECT=0", "PEBBLE_AUTHZREUSE=0"},
		Config: map[string]string{"pebble.json": `{"pebble": {"listenAddress": "127.0.0.1:{other}", "httpPort": 5002,
"tlsPort": 5001, "certificate": "{sources}/pebble/test/certs/localhost/cert.pem",
"privateKey": "{sources}/pebble/test/certs/localhost/key.pem", "keyAlgorithm": "ecdsa",
"retryAfter": {"authz": 1, "order": 1}, "domainBlocklist": ["blocked.example"],
"profiles": {"default": {"description": "of the load", "validityPeriod": 7776000}}}}`},
		Load: func(ctx context.Context, on Target) error {
			return together(ctx, times(2, func(ctx context.Context, i int) error { return acmeClient(ctx, on, i) })...)
		},
	}
}

// An acme is an account with its key (RFC 8555).
type acme struct {
	client *http.Client
	key    *ecdsa.PrivateKey
	kid    string // "": it has no account yet
	nonce  string
}

var base64url = base64.RawURLEncoding

// post sends a signed request; nil asks for what is there.
func (a *acme) post(ctx context.Context, to string, payload any) (body []byte, location string, err error) {
	protected := map[string]any{"alg": "ES256", "nonce": a.nonce, "url": to}
	if a.kid != "" {
		protected["kid"] = a.kid
	} else {
		point, err := a.key.PublicKey.Bytes() // 4, then both coordinates
		if err != nil {
			return nil, "", err
		}
		protected["jwk"] = map[string]string{"kty": "EC", "crv": "P-256", "x": base64url.EncodeToString(point[1:33]),
			"y": base64url.EncodeToString(point[33:])}
	}
	head, _ := json.Marshal(protected) // texts
	var content []byte
	if payload != nil {
		content, _ = json.Marshal(payload)
	}
	signed := base64url.EncodeToString(head) + "." + base64url.EncodeToString(content)
	sum := sha256.Sum256([]byte(signed))
	r, s, err := ecdsa.Sign(rand.Reader, a.key, sum[:])
	if err != nil {
		return nil, "", err
	}
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	jws, _ := json.Marshal(map[string]string{"protected": base64url.EncodeToString(head),
		"payload": base64url.EncodeToString(content), "signature": base64url.EncodeToString(signature)})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(jws))
	if err != nil {
		return nil, "", err
	}
	req.Header.Set("Content-Type", "application/jose+json")
	res, err := a.client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	a.nonce = res.Header.Get("Replay-Nonce")
	body, err = io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 400 {
		err = fmt.Errorf("pebble: %s: %d: %s", to, res.StatusCode, body)
	}
	return body, res.Header.Get("Location"), err
}

// begin gets a nonce and an account.
func (a *acme) begin(ctx context.Context, base string) error {
	res, err := a.client.Head(base + "/nonce-plz")
	if err != nil {
		return err
	}
	res.Body.Close()
	a.nonce = res.Header.Get("Replay-Nonce")
	_, a.kid, err = a.post(ctx, base+"/sign-me-up", map[string]any{"termsOfServiceAgreed": true,
		"contact": []string{"mailto:ops@example.com"}})
	return err
}

// An acmeOrder is an order, an authorization or a challenge: what is asked of them.
type acmeOrder struct {
	Status, Finalize, Certificate, Type, URL string
	Authorizations                           []string
	Challenges                               []acmeOrder
}

// until asks for something until it is in a state.
func (a *acme) until(ctx context.Context, to, status string) (acmeOrder, error) {
	for range 100 {
		var o acmeOrder
		body, _, err := a.post(ctx, to, nil)
		if err == nil {
			err = json.Unmarshal(body, &o)
		}
		if err != nil || o.Status == status {
			return o, err
		}
		if o.Status == "invalid" {
			return o, fmt.Errorf("pebble: %s", body)
		}
		time.Sleep(2 * time.Millisecond)
	}
	return acmeOrder{}, errors.New("pebble: " + to + " is not " + status)
}

// certificate orders one, and fetches its chain.
func (a *acme) certificate(ctx context.Context, base string, key *ecdsa.PrivateKey, names []string) error {
	var ids []map[string]string
	for _, n := range names {
		ids = append(ids, map[string]string{"type": "dns", "value": n})
	}
	body, at, err := a.post(ctx, base+"/order-plz", map[string]any{"identifiers": ids})
	if err != nil {
		return err
	}
	var order acmeOrder
	if err := json.Unmarshal(body, &order); err != nil {
		return err
	}
	for _, authz := range order.Authorizations {
		if err := a.authorize(ctx, authz); err != nil {
			return err
		}
	}
	if _, err := a.until(ctx, at, "ready"); err != nil {
		return err
	}
	csr, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{DNSNames: names}, key)
	if err != nil {
		return err
	}
	if _, _, err = a.post(ctx, order.Finalize, map[string]string{"csr": base64url.EncodeToString(csr)}); err != nil {
		return err
	}
	if order, err = a.until(ctx, at, "valid"); err != nil {
		return err
	}
	_, _, err = a.post(ctx, order.Certificate, nil)
	return err
}

// authorize meets the challenge of one name.
func (a *acme) authorize(ctx context.Context, at string) error {
	var o acmeOrder
	body, _, err := a.post(ctx, at, nil)
	if err == nil {
		err = json.Unmarshal(body, &o)
	}
	if err != nil || o.Status == "valid" { // it is one of an earlier order
		return err
	}
	for _, c := range o.Challenges {
		if c.Type != "http-01" {
			continue
		}
		if _, _, err := a.post(ctx, c.URL, struct{}{}); err != nil {
			return err
		}
		_, err := a.until(ctx, at, "valid")
		return err
	}
	return fmt.Errorf("pebble: no challenge by HTTP: %s", body)
}

// acmeClient orders certificates. After 40 it is another client, with an account of its own.
func acmeClient(ctx context.Context, on Target, i int) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // of its tests, on loopback
	defer transport.CloseIdleConnections()
	base := "https://" + on.Addr
	for n := 0; ctx.Err() == nil; {
		a := acme{client: &http.Client{Transport: transport}}
		if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			return err
		}
		if err := a.begin(ctx, base); err != nil {
			return err
		}
		for range 40 {
			n++
			site := fmt.Sprintf("site%d.client%d.example", n, i)
			err := a.certificate(ctx, base, key, []string{site, "www." + site, "shop." + site}[:2+n%2])
			if ctx.Err() != nil {
				return nil
			}
			on.Seen.Is(err == nil)
		}
	}
	return nil
}
