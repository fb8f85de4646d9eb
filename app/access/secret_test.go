package access_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/access"
)

// Processes that start at once have the same secret, in a file that nobody else may read.
func TestKeepSecret(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", filepath.Join(t.TempDir(), "state"))
	file, err := access.SecretFile("serve-token")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := access.ReadSecret(file); !os.IsNotExist(err) {
		t.Errorf("before there is a file: %v", err)
	}
	var made [8]access.Secret
	var work sync.WaitGroup
	for i := range made {
		work.Go(func() {
			var err error
			if made[i], err = access.KeepSecret(file); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	for _, s := range made {
		if s != made[0] || len(s.Token()) < 64 {
			t.Errorf("the secrets are %q and %q", made[0].Token(), s.Token())
		}
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
		t.Errorf("beside the file there is %v, %v", left, err)
	}
}

func TestReadSecretRefuses(t *testing.T) {
	dir := t.TempDir()
	good := access.NewSecret().Token()
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
	}{"others may read it": {good, 0o644}, "its group may": {good, 0o640}, "it is empty": {"", 0o600},
		"it is short": {"abc", 0o600}, "two lines": {good + "\n" + good, 0o600}} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		if s, err := access.KeepSecret(file); err == nil || s.Is(good) || s.Is("") {
			t.Errorf("%s, and it was taken: %v", name, err)
		}
	}
	whole := filepath.Join(dir, "whole")
	if err := os.WriteFile(whole, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := access.ReadSecret(whole); err != nil || !s.Is(good) {
		t.Errorf("a good one: %v", err)
	}
	if err := os.Symlink(whole, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := access.ReadSecret(filepath.Join(dir, "link")); err == nil {
		t.Error("a link was followed")
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(whole, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if _, err := access.ReadSecret(whole); err == nil {
			t.Error("the file of another user was taken")
		}
	}
}

// A token for one request is good for that, and for a while.
func TestTokenFor(t *testing.T) {
	s, now := access.NewSecret(), time.Unix(1_800_000_000, 0)
	put := httptest.NewRequest(http.MethodPut, "/api/v1/cases/a%2fb", nil)
	token := s.TokenFor(put, now.Add(time.Minute))
	for name, c := range map[string]struct {
		s     access.Secret
		token string
		r     *http.Request
		at    time.Time
		want  bool
	}{
		"that request":           {s, token, put, now, true},
		"later":                  {s, token, put, now.Add(time.Minute), false},
		"another method":         {s, token, httptest.NewRequest(http.MethodDelete, "/api/v1/cases/a%2fb", nil), now, false},
		"another path":           {s, token, httptest.NewRequest(http.MethodPut, "/api/v1/cases/a/b", nil), now, false},
		"another secret":         {access.NewSecret(), token, put, now, false},
		"no secret":              {access.Secret{}, access.Secret{}.TokenFor(put, now.Add(time.Minute)), put, now, false},
		"the secret":             {s, s.Token(), put, now, false},
		"another time in it":     {s, "casebook_request_9" + token[len("casebook_request_1"):], put, now, false},
		"nothing":                {s, "", put, now, false},
		"the beginning of one":   {s, "casebook_request_", put, now, false},
		"a time and no more":     {s, "casebook_request_1900000000_", put, now, false},
		"one that is not a time": {s, "casebook_request_x_" + token[len(token)-64:], put, now, false},
	} {
		if got := c.s.IsFor(c.token, c.r, c.at); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
	if (access.Secret{}).Is("") {
		t.Error("nobody's secret opens")
	}
}
