package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// earlyRefresh is how long before its end a token is replaced, so that none ends on the way to the bank.
const earlyRefresh = 5 * time.Minute

type accessToken struct {
	value   string
	expires time.Time
}

func (t accessToken) fresh() bool { return time.Until(t.expires) > earlyRefresh }

// tokenSource keeps the client's access token.
type tokenSource struct {
	http     *http.Client
	endpoint string
	form     url.Values

	mu      sync.Mutex
	current accessToken
}

func newTokenSource(client *http.Client, endpoint, id, secret string) *tokenSource {
	return &tokenSource{http: client, endpoint: endpoint, form: url.Values{
		"grant_type":    {"client_credentials"},
		"client_id":     {id},
		"client_secret": {secret},
	}}
}

// Token is a token that is good for a while.
func (s *tokenSource) Token(ctx context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current.fresh() {
		return s.current.value, nil
	}
	t, err := s.fetch(ctx)
	if err != nil {
		return "", fmt.Errorf("fetching a token: %w", err)
	}
	s.current = t
	return t.value, nil
}

func (s *tokenSource) fetch(ctx context.Context) (t accessToken, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.endpoint, strings.NewReader(s.form.Encode()))
	if err != nil {
		return t, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := s.http.Do(req)
	if err != nil {
		return t, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return t, fmt.Errorf("status %s", res.Status)
	}
	var body struct {
		AccessToken string `json:"access_token"`
		ExpiresIn   int    `json:"expires_in"`
	}
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		return t, err
	}
	return accessToken{body.AccessToken, time.Now().Add(time.Duration(body.ExpiresIn) * time.Second)}, nil
}
