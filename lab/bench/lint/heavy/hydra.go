package heavy

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
)

// hydra is an OAuth 2.0 and OpenID Connect server with PostgreSQL: people log in by an application without a secret
// (the load does what the page for login and consent does), services get tokens of their own, and APIs have each token
// looked up.
func hydra() Service {
	return Service{
		Name: "hydra", Module: "github.com/ory/hydra/v2", Version: "v2.3.0", Main: ".", Unseen: true,
		First: [][]string{{"migrate", "sql", "-e", "--yes"}},
		Args:  []string{"serve", "all", "--dev", "--sqa-opt-out"},
		Env: []string{"SERVE_PUBLIC_PORT={port}", "SERVE_PUBLIC_HOST=127.0.0.1", "SERVE_ADMIN_PORT={other}",
			"SERVE_ADMIN_HOST=127.0.0.1", "URLS_SELF_ISSUER=http://127.0.0.1:{port}", "URLS_LOGIN=" + hydraLogin,
			"URLS_CONSENT=" + hydraConsent, "SECRETS_SYSTEM=a-secret-of-two-minutes"},
		Prepare: func(string) ([]string, func(), error) {
			dsn, end, err := startPostgres()
			host, _, _ := strings.Cut(strings.TrimPrefix(dsn, "host="), " ")
			return []string{"DSN=postgres://postgres@localhost/postgres?sslmode=disable&max_conns=12&host=" + host}, end, err
		},
		Ready: "/health/ready",
		Load:  loadHydra,
	}
}

const (
	hydraLogin   = "http://127.0.0.1:9/login" // nobody listens there: the load does not follow it
	hydraConsent = "http://127.0.0.1:9/consent"
	hydraBack    = "http://127.0.0.1:9/back"
)

// A hydraUser is a browser, the pages for login and consent, and an API in one.
type hydraUser struct {
	on     Target
	client *http.Client
	r      *rand.Rand
}

func newHydraUser(on Target, i int) *hydraUser {
	jar, _ := cookiejar.New(nil) // has no error
	return &hydraUser{on: on, r: rand.New(rand.NewPCG(uint64(i), 91)), client: &http.Client{Jar: jar,
		Transport:     &http.Transport{},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// ask sends a request, follows no redirection, and decodes a JSON answer into v.
func (u *hydraUser) ask(ctx context.Context, method, to, kind, body string, head http.Header, v any) (where *url.URL,
	err error) {
	req, err := http.NewRequestWithContext(ctx, method, to, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if head != nil {
		req.Header = head
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	res, err := u.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= 400 {
		return nil, fmt.Errorf("hydra: %s %s: %d: %s", method, to, res.StatusCode, data)
	}
	if v != nil {
		return nil, json.Unmarshal(data, v)
	}
	if res.StatusCode >= 300 {
		return res.Location()
	}
	return nil, nil
}

func (u *hydraUser) public(path string) string { return "http://" + u.on.Addr + path }
func (u *hydraUser) admin(path string) string  { return "http://" + u.on.Other + "/admin" + path }

const (
	isJSON = "application/json"
	isForm = "application/x-www-form-urlencoded"
)

// accept says yes in the name of a page, and goes where that leads.
func (u *hydraUser) accept(ctx context.Context, what, challenge string, with any) (*url.URL, error) {
	body, err := json.Marshal(with)
	if err != nil {
		return nil, err
	}
	var next struct {
		To string `json:"redirect_to"`
	}
	_, err = u.ask(ctx, http.MethodPut, u.admin("/oauth2/auth/requests/"+what+"/accept?"+what+"_challenge="+
		url.QueryEscape(challenge)), isJSON, string(body), nil, &next)
	if err != nil {
		return nil, err
	}
	return u.ask(ctx, http.MethodGet, next.To, "", "", nil, nil)
}

type hydraTokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	ID      string `json:"id_token"`
}

// login is a person who logs in and is sent back with a code, which becomes tokens.
func (u *hydraUser) login(ctx context.Context, client string) (t hydraTokens, err error) {
	verifier := fmt.Sprintf("%064x", u.r.Uint64())
	sum := sha256.Sum256([]byte(verifier))
	q := url.Values{"client_id": {client}, "response_type": {"code"}, "redirect_uri": {hydraBack},
		"scope": {"openid offline profile"}, "state": {fmt.Sprintf("%016x", u.r.Uint64())}, "code_challenge_method": {"S256"},
		"nonce": {fmt.Sprintf("%016x", u.r.Uint64())}, "code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}}
	at, err := u.ask(ctx, http.MethodGet, u.public("/oauth2/auth?"+q.Encode()), "", "", nil, nil)
	if err != nil {
		return t, err
	}
	challenge := at.Query().Get("login_challenge")
	var request map[string]any
	if _, err = u.ask(ctx, http.MethodGet, u.admin("/oauth2/auth/requests/login?login_challenge="+
		url.QueryEscape(challenge)), "", "", nil, &request); err != nil {
		return t, err
	}
	subject, _ := request["subject"].(string) // who is remembered
	if subject == "" {
		subject = fmt.Sprintf("person-%d", u.r.IntN(500))
	}
	at, err = u.accept(ctx, "login", challenge, map[string]any{"subject": subject, "remember": true,
		"remember_for": 3600, "acr": "1"})
	if err != nil {
		return t, err
	}
	challenge = at.Query().Get("consent_challenge")
	if _, err = u.ask(ctx, http.MethodGet, u.admin("/oauth2/auth/requests/consent?consent_challenge="+
		url.QueryEscape(challenge)), "", "", nil, &request); err != nil {
		return t, err
	}
	at, err = u.accept(ctx, "consent", challenge, map[string]any{"grant_scope": []string{"openid", "offline", "profile"},
		"remember": u.r.IntN(2) == 0, "session": map[string]any{
			"id_token":     map[string]any{"name": text(u.r, 2), "email": subject + "@example.com"},
			"access_token": map[string]any{"roles": []string{"reader", "writer"}}}})
	if err != nil {
		return t, err
	}
	code := at.Query().Get("code")
	if code == "" {
		return t, errors.New("hydra: no code: " + at.String())
	}
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {hydraBack},
		"client_id": {client}, "code_verifier": {verifier}}
	_, err = u.ask(ctx, http.MethodPost, u.public("/oauth2/token"), isForm, form.Encode(), nil, &t)
	return t, err
}

// use is what a person's application and the APIs that it calls do with the tokens.
func (u *hydraUser) use(ctx context.Context, client string, t hydraTokens) error {
	for range 6 {
		var seen map[string]any
		_, err := u.ask(ctx, http.MethodPost, u.admin("/oauth2/introspect"), isForm, "token="+url.QueryEscape(t.Access), nil,
			&seen)
		if err == nil && seen["active"] != true {
			err = fmt.Errorf("hydra: a token is not active: %v", seen)
		}
		if u.on.Seen.Is(err == nil || ctx.Err() != nil); err != nil {
			return err
		}
	}
	head := http.Header{"Authorization": {"Bearer " + t.Access}}
	if _, err := u.ask(ctx, http.MethodGet, u.public("/userinfo"), "", "", head, nil); err != nil {
		return err
	}
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {t.Refresh}, "client_id": {client}}
	if _, err := u.ask(ctx, http.MethodPost, u.public("/oauth2/token"), isForm, form.Encode(), nil, &t); err != nil {
		return err
	}
	if u.r.IntN(3) > 0 {
		return nil
	}
	form = url.Values{"token": {t.Refresh}, "client_id": {client}}
	_, err := u.ask(ctx, http.MethodPost, u.public("/oauth2/revoke"), isForm, form.Encode(), nil, nil)
	return err
}

// service is a service that gets a token with its secret, and has it looked up.
func (u *hydraUser) service(ctx context.Context, id, secret string) error {
	var t hydraTokens
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {"profile"}, "client_id": {id},
		"client_secret": {secret}}
	if _, err := u.ask(ctx, http.MethodPost, u.public("/oauth2/token"), isForm, form.Encode(), nil, &t); err != nil {
		return err
	}
	for range 4 {
		if _, err := u.ask(ctx, http.MethodPost, u.admin("/oauth2/introspect"), isForm, "token="+url.QueryEscape(t.Access),
			nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// register makes a client of the server.
func (u *hydraUser) register(ctx context.Context, with map[string]any) (id, secret string, err error) {
	body, err := json.Marshal(with)
	if err != nil {
		return "", "", err
	}
	var made struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	_, err = u.ask(ctx, http.MethodPost, u.admin("/clients"), isJSON, string(body), nil, &made)
	return made.ID, made.Secret, err
}

func loadHydra(ctx context.Context, on Target) error {
	u := newHydraUser(on, 0)
	var apps []string
	for i := range 8 {
		id, _, err := u.register(ctx, map[string]any{"client_name": fmt.Sprintf("app %d", i),
			"redirect_uris": []string{hydraBack},
			"grant_types":   []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
			"scope": "openid offline profile", "token_endpoint_auth_method": "none"})
		if err != nil {
			return err
		}
		apps = append(apps, id)
	}
	id, secret, err := u.register(ctx, map[string]any{"client_name": "a service", "scope": "profile",
		"grant_types": []string{"client_credentials"}, "token_endpoint_auth_method": "client_secret_post"})
	if err != nil {
		return err
	}
	return together(ctx, times(6, func(ctx context.Context, i int) error {
		for n := 0; ctx.Err() == nil; n++ {
			u := newHydraUser(on, i*1_000_000+n) // another browser
			for range 3 {
				app := pick(u.r, apps)
				t, err := u.login(ctx, app)
				if err == nil {
					err = u.use(ctx, app, t)
				}
				if on.Seen.Is(err == nil || ctx.Err() != nil); err != nil && ctx.Err() == nil {
					return err
				}
			}
			var err error
			switch u.r.IntN(8) {
			case 0, 1:
				err = u.service(ctx, id, secret)
			case 2:
				_, err = u.ask(ctx, http.MethodGet, u.admin("/clients?page_size=20"), "", "", nil, nil)
			case 3:
				_, err = u.ask(ctx, http.MethodGet, u.admin("/oauth2/auth/sessions/consent?subject="+
					fmt.Sprintf("person-%d", u.r.IntN(500))), "", "", nil, nil)
			default:
				_, err = u.ask(ctx, http.MethodGet, u.public(pick(u.r, []string{"/.well-known/jwks.json",
					"/.well-known/openid-configuration"})), "", "", nil, nil)
			}
			on.Seen.Is(err == nil || ctx.Err() != nil)
			u.client.CloseIdleConnections()
		}
		return nil
	})...)
}
