package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/access"
)

// client keeps connections, as a browser does.
var client = &http.Client{Timeout: 2 * time.Minute, Transport: withToken{&http.Transport{MaxIdleConnsPerHost: 512}}}

// withToken sends the token that casebook serve has made for programs of its user.
type withToken struct{ http.RoundTripper }

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	token, err := ownToken()
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return w.RoundTripper.RoundTrip(r)
}

// ownToken reads it once: the server that makes it is there when the first request is sent.
var ownToken = sync.OnceValues(func() (string, error) {
	file, err := access.SecretFile("serve-token")
	if err != nil {
		return "", err
	}
	s, err := access.ReadSecret(file)
	return s.Token(), err
})

func get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %.200s", url, resp.Status, data)
	}
	return data, err
}

// A refusal is an answer that is not 201.
type refusal struct {
	code int
	text string
}

func (r *refusal) Error() string { return r.text }

func put(ctx context.Context, url, id string, data []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url+"/api/v1/cases/"+id, bytes.NewReader(data))
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusCreated {
		err = &refusal{resp.StatusCode, fmt.Sprintf("case %s: %s: %.200s", id, resp.Status, text)}
	}
	return err
}

// ids lists the cases of a server, newest first.
func ids(ctx context.Context, url string, most int) (list []string, err error) {
	for after := ""; len(list) < most; {
		data, err := get(ctx, url+"/api/v1/cases?limit=500&after="+after)
		var page struct {
			Cases []struct{ ID string }
			Next  string
		}
		if err == nil {
			err = json.Unmarshal(data, &page)
		}
		if err != nil {
			return nil, err
		}
		for _, c := range page.Cases {
			list = append(list, c.ID)
		}
		if after = page.Next; after == "" {
			break
		}
	}
	return list, nil
}

// pages measures what people and programs ask for, one request after the other.
func (b *bench) pages(ctx context.Context, s *process) error {
	list, err := ids(ctx, s.url, b.cases)
	if err == nil && len(list) != b.cases {
		err = fmt.Errorf("the server lists %d cases, and has acknowledged %d", len(list), b.cases)
	}
	if err != nil {
		return err
	}
	fmt.Printf("  %-34s %8s %8s %8s %8s %8s\n", "", "p50", "p99", "max", "CPU", "bytes")
	for _, m := range []struct{ what, path string }{
		{"first page", "/"},
		{"first page, a word", "/?q=resize"},
		{"first page, words that none has", "/?q=qqzz+xxyy"},
		{"first page, service and score", "/?service=shop-api&score=75"},
		{"first page, a kind", "/?q=&kind=gc-cpu"},
		{"list", "/api/v1/cases"},
		{"list, 500 cases", "/api/v1/cases?limit=500"},
		{"list, a label", "/api/v1/cases?label=zone=eu-1"},
		{"list, from the middle on", "/api/v1/cases?to=" + time.Now().Add(-24*24*time.Hour).UTC().Format(time.RFC3339)},
		{"services", "/api/v1/services"},
		{"metrics", "/metrics"}, // the largest: findings are read anew after 10 s
		{"case page", "/cases/"},
		{"case.json", "/api/v1/cases/"},
	} {
		if err := b.page(ctx, s, m.what, m.path, list); err != nil {
			return err
		}
	}
	peak, err := s.peak()
	fmt.Printf("  the server's memory was %d MB at most\n", peak>>20)
	return err
}

// page measures one kind of request. A path that ends in cases/ is followed by the ID of another case each time.
func (b *bench) page(ctx context.Context, s *process, what, path string, list []string) error {
	var took []time.Duration
	var bytes int
	before, err := s.cpu()
	if err != nil {
		return err
	}
	for i := range b.requests {
		url := s.url + path
		if path[len(path)-1] == '/' && path != "/" {
			url += list[i*37%len(list)] // not a multiple of the number of models
		}
		began := time.Now()
		data, err := get(ctx, url)
		if err != nil {
			return err
		}
		took, bytes = append(took, time.Since(began)), bytes+len(data)
	}
	after, err := s.cpu()
	slices.Sort(took)
	n := len(took)
	fmt.Printf("  %-34s %8s %8s %8s %8s %8d\n", what, round(took[n/2]), round(took[n*99/100]), round(took[n-1]),
		round((after-before)/time.Duration(n)), bytes/n)
	return errors.Join(err, ctx.Err())
}

func round(d time.Duration) time.Duration {
	if d > 10*time.Millisecond {
		return d.Round(time.Millisecond)
	}
	return d.Round(10 * time.Microsecond)
}
