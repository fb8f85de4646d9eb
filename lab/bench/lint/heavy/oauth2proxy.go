package heavy

import (
	"context"
	"crypto"
	crand "crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"time"
)

// oauth2Proxy lets those who have logged in see an application: browsers with a cookie, services with a token, and an
// nginx that asks whether somebody may.
func oauth2Proxy() Service {
	return Service{
		Name: "oauth2-proxy", Module: "github.com/oauth2-proxy/oauth2-proxy/v7", Version: "v7.15.6", Main: ".",
		Unseen: true,
		Args: []string{"--http-address=127.0.0.1:{port}", "--upstream=http://127.0.0.1:{other}/", "--provider=oidc",
			"--oidc-issuer-url=http://127.0.0.1:{other}", "--skip-oidc-discovery",
			"--login-url=http://127.0.0.1:{other}/idp/login", "--redeem-url=http://127.0.0.1:{other}/idp/token",
			"--oidc-jwks-url=http://127.0.0.1:{other}/idp/keys", "--client-id=app", "--client-secret=of-two-minutes",
			"--cookie-secret=0123456789abcdef0123456789abcdef", "--cookie-secure=false", "--cookie-refresh=20s",
			"--email-domain=example.com", "--email-domain=example.org", "--code-challenge-method=S256",
			"--insecure-oidc-skip-nonce=false", "--skip-jwt-bearer-tokens", "--set-xauthrequest", "--pass-access-token",
			"--pass-authorization-header", "--reverse-proxy", "--trusted-proxy-ip=127.0.0.1",
			"--skip-auth-route=GET=^/static/", "--skip-auth-route=^/hooks/[a-z]+$", "--api-route=^/api/",
			"--whitelist-domain=.example.com", "--skip-provider-button"},
		Ready: "/ping",
		Load:  loadOauth2Proxy,
	}
}

// An idp is the identity provider, and the application behind the proxy.
type idp struct {
	key    *rsa.PrivateKey
	issuer string
}

func loadOauth2Proxy(ctx context.Context, on Target) error {
	key, err := rsa.GenerateKey(crand.Reader, 2048)
	if err != nil {
		return err
	}
	p := &idp{key: key, issuer: "http://" + on.Other}
	server := &http.Server{Addr: on.Other, ReadHeaderTimeout: time.Second, Handler: p}
	go server.ListenAndServe() // until it is closed
	defer server.Close()
	base := "http://" + on.Addr
	clients := times(6, func(ctx context.Context, i int) error { return p.person(ctx, on, i) })
	clients = append(clients, times(2, func(ctx context.Context, i int) error {
		token := p.token(i, "")
		return browser(on, base, func(r *rand.Rand) request {
			q := get(fmt.Sprintf("/api/items/%d?expand=owner", r.IntN(1000)))
			if r.IntN(3) == 0 {
				q = post("/api/items", `{"title":"`+text(r, 5)+`"}`)
			}
			q.header = map[string]string{"Authorization": "Bearer " + token, "X-Forwarded-For": "10.0.0.7"}
			return q
		})(ctx, i)
	})...)
	clients = append(clients, times(1, browser(on, base, func(r *rand.Rand) request {
		time.Sleep(5 * time.Millisecond)
		return get(pick(r, []string{"/static/app.js", "/static/app.css", "/hooks/github", "/ping", "/ready",
			"/robots.txt"}))
	}))...)
	return together(ctx, clients...)
}

// ServeHTTP answers tokens, keys and the application's pages.
func (p *idp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/idp/keys":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"keys":[{"kty":"RSA","use":"sig","alg":"RS256","kid":"k","n":%q,"e":%q}]}`,
			base64.RawURLEncoding.EncodeToString(p.key.N.Bytes()),
			base64.RawURLEncoding.EncodeToString(big.NewInt(int64(p.key.E)).Bytes()))
	case "/idp/token":
		nonce := r.FormValue("code") // person makes it so
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"access_token": p.token(0, ""), "token_type": "Bearer",
			"expires_in": 60, "refresh_token": "refresh", "id_token": p.token(int(time.Now().UnixNano()%200), nonce)})
	default:
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"path":%q,"user":%q}`, r.URL.Path, r.Header.Get("X-Forwarded-Email"))
	}
}

// token is a signed one, with the claims that companies have.
func (p *idp) token(user int, nonce string) string {
	now := time.Now()
	claims, _ := json.Marshal(map[string]any{"iss": p.issuer, "aud": "app", "sub": fmt.Sprintf("u-%d", user),
		"email": fmt.Sprintf("user%d@example.com", user), "email_verified": true, "nonce": nonce, "iat": now.Unix(),
		"exp": now.Add(time.Hour).Unix(), "preferred_username": fmt.Sprintf("user%d", user),
		"groups": []string{"engineering", "on-call", "vpn", fmt.Sprintf("team-%d", user%9)}}) // texts and numbers
	signed := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","kid":"k","typ":"JWT"}`)) + "." +
		base64.RawURLEncoding.EncodeToString(claims)
	hash := sha256.Sum256([]byte(signed))
	sig, err := rsa.SignPKCS1v15(crand.Reader, p.key, crypto.SHA256, hash[:])
	if err != nil {
		return ""
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(sig)
}

// person logs in, looks at a few dozens of pages, mostly in a cluster whose nginx asks, and logs out.
func (p *idp) person(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 17))
	base := "http://" + on.Addr
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	for ctx.Err() == nil {
		jar, err := cookiejar.New(nil)
		if err != nil {
			return err
		}
		client := &http.Client{Transport: transport, Jar: jar,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		see := func(path string, want int) string {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, nil)
			if err != nil {
				return ""
			}
			req.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
			req.Header.Set("X-Forwarded-For", fmt.Sprintf("192.0.2.%d", i))
			req.Header.Set("Accept", "text/html")
			res, err := client.Do(req)
			if err != nil {
				on.Seen.Is(ctx.Err() != nil)
				return ""
			}
			defer res.Body.Close()
			io.Copy(io.Discard, res.Body)
			on.Seen.Is(res.StatusCode == want)
			return res.Header.Get("Location")
		}
		login, err := url.Parse(see("/reports?year=2026", http.StatusFound))
		if err != nil || login.Path != "/idp/login" {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		q := login.Query()
		back := url.Values{"code": {q.Get("nonce")}, "state": {q.Get("state")}}
		see("/oauth2/callback?"+back.Encode(), http.StatusFound)
		for range 20 + r.IntN(40) {
			switch r.IntN(10) {
			case 0:
				see("/oauth2/userinfo", http.StatusOK)
			case 1, 2, 3, 4:
				see("/oauth2/auth?allowed_groups=engineering,finance", http.StatusAccepted)
			default:
				see(fmt.Sprintf("/reports/%d?page=%d", r.IntN(300), r.IntN(9)), http.StatusOK)
			}
		}
		see("/oauth2/sign_out?rd=%2Foauth2%2Fsign_in", http.StatusFound)
	}
	return nil
}
