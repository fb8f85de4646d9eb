package reporter

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestWebhookConfigRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		cfg  WebhookConfig
		want string
	}{
		{"no URL", WebhookConfig{}, "field URL is not a URL"},
		{"no scheme", WebhookConfig{URL: "hooks.example/secret"}, "field URL is not a URL"},
		{"another scheme", WebhookConfig{URL: "ftp://hooks.example/secret"}, "field URL is not a URL"},
		{"a password where the port is", WebhookConfig{URL: "https://user:secret"}, "field URL is not a URL"},
		{"no host", WebhookConfig{URL: "https:///secret"}, "field URL is not a URL"},
		{"a port alone", WebhookConfig{URL: "https://:443/secret"}, "field URL is not a URL"},
		{"a space", WebhookConfig{URL: "https://hooks.example /secret"}, "field URL is not a URL"},
		{"not encrypted", WebhookConfig{URL: "http://u:secret@hooks.example/secret"},
			"http://hooks.example is not encrypted"},
		{"a bad header", WebhookConfig{URL: "https://hooks.example", Header: map[string]string{"a b": "secret"}},
			"is not a header name"},
		{"two headers in one", WebhookConfig{URL: "https://hooks.example",
			Header: map[string]string{"A": "x\r\nB: secret"}}, "the value of A has control characters"},
		{"a format", WebhookConfig{URL: "https://hooks.example", Format: "xml"}, "field Format"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Webhook(tt.cfg)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Webhook said %v, want %q in it", err, tt.want)
			}
			wantNoSecret(t, err.Error())
		})
	}
	for _, cfg := range []WebhookConfig{
		{URL: "https://hooks.example/x"}, {URL: "http://localhost:8080"}, {URL: "http://[::1]:8080"},
		{URL: "http://127.9.9.9"},
		{URL: "http://hooks.example", PlainHTTP: true},
	} {
		if _, err := Webhook(cfg); err != nil {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

func TestSecrets(t *testing.T) {
	u, err := url.Parse("https://bob:pa%2Fss@hooks.example/api/v1/a%20secret%20path/Xyz123?key=k1&token=t%2B123")
	if err != nil {
		t.Fatal(err)
	}
	s := secretsOf(u, http.Header{"Authorization": {"Bearer h-token"}, "X-Env": {"eu"}})
	for _, text := range []string{
		"see a secret path", "see a%20secret%20path", "XYZ123", "key=k1&token=t%2B123", "t+123", "user bob", "pa/ss",
		"bob:pa%2Fss", "h-token", "/api/v1/a%20secret%20path/Xyz123",
	} {
		if got := s.clean("text " + text + " text"); got != withheld {
			t.Errorf("clean(%q) = %q, want it withheld", text, got)
		}
	}
	for _, text := range []string{"api v1 is down", "channel_not_found", "no such EU zone: k1"} {
		if got := s.clean(text); got != text {
			t.Errorf("clean(%q) = %q, want it as it is", text, got)
		}
	}
}

func TestWithoutSecrets(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "http://127.0.0.1:6060": "http://127.0.0.1:6060",
		"http://u:p@h/debug/pprof?x=1#f": "http://h/debug/pprof", "http://h/?": "http://h/", "::": "",
	} {
		if got := withoutSecrets(in); got != want {
			t.Errorf("withoutSecrets(%q) = %q, want %q", in, got, want)
		}
	}
}

// An environment's proxy that cannot be used is reported without its password.
func TestReasonHidesProxies(t *testing.T) {
	for _, text := range []string{`invalid proxy address "http://u:secret@proxy": parse`,
		`invalid proxy address "u:secret@proxy"`, "bad http://u:secret@h"} {
		if got := reason(&url.Error{Op: "Post", URL: "https://secret",
			Err: &url.Error{Err: errorText(text)}}); strings.Contains(got, "secret") {
			t.Errorf("reason(%q) = %q", text, got)
		}
	}
	if got := reason(&url.Error{Op: "Post", URL: "https://secret",
		Err: errorText("connection refused")}); got != "connection refused" {
		t.Errorf("reason = %q", got)
	}
}

type errorText string

func (e errorText) Error() string { return string(e) }
