package access

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Secret is known to the programs of one user on this machine. The zero Secret is nobody's, and opens nothing.
type Secret struct{ text string }

const (
	secretBytes   = 32
	secretPrefix  = "casebook_local_"   // so that scanners for secrets in code can know one
	requestPrefix = "casebook_request_" // of a token that is good for one request
)

// NewSecret makes one that no other process knows.
func NewSecret() Secret {
	random := make([]byte, secretBytes)
	_, _ = rand.Read(random) // documented never to fail
	return Secret{secretPrefix + hex.EncodeToString(random)}
}

// SecretFile is where this user's secret of a name is: in XDG_STATE_HOME, or else in ~/.local/state.
func SecretFile(name string) (string, error) {
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // a relative one is to be ignored, says XDG's specification
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "casebook", name), nil
}

// SecretPlace is SecretFile as a shell takes it, without the name of this user's folder: what a server prints may be in
// the log of a CI.
func SecretPlace(name string) string {
	if filepath.IsAbs(os.Getenv("XDG_STATE_HOME")) {
		return filepath.Join("$XDG_STATE_HOME", "casebook", name)
	}
	return filepath.Join("~", ".local", "state", "casebook", name)
}

// KeepSecret reads the secret in a file, or makes both.
func KeepSecret(file string) (Secret, error) {
	s, err := ReadSecret(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return Secret{}, err
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".new-*") // 0600
	if err != nil {
		return Secret{}, err
	}
	_, err = io.WriteString(tmp, NewSecret().text+"\n")
	if err = errors.Join(err, tmp.Close()); err == nil {
		if err = os.Link(tmp.Name(), file); errors.Is(err, fs.ErrExist) { // another process was first: theirs counts
			err = nil
		}
	}
	if err = errors.Join(err, os.Remove(tmp.Name())); err != nil {
		return Secret{}, err
	}
	return ReadSecret(file)
}

// ReadSecret reads the secret in a file, if it is this user's and nobody else may read it.
func ReadSecret(file string) (Secret, error) {
	if info, err := os.Lstat(file); err != nil {
		return Secret{}, err
	} else if !info.Mode().IsRegular() {
		return Secret{}, fmt.Errorf("%s is not a regular file", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return Secret{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Secret{}, err
	}
	if err := private(info); err != nil {
		return Secret{}, fmt.Errorf("%s %w; remove it, and another is made", file, err)
	}
	data, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return Secret{}, err
	}
	text := strings.TrimSpace(string(data))
	if len(text) < secretBytes || strings.ContainsAny(text, " \r\n") {
		return Secret{}, fmt.Errorf("%s holds no secret of %d characters or more; remove it, and another is made", file,
			secretBytes)
	}
	return Secret{text}, nil
}

// Token is the secret itself, which a user's own programs may send.
func (s Secret) Token() string { return s.text }

// Is reports whether a token is the secret.
func (s Secret) Is(token string) bool { return equal(token, s.text) }

// TokenFor is a token for one request. A program that sends cases by itself sends this instead of the secret: another
// user may listen where the server that it wants to reach has ended.
func (s Secret) TokenFor(r *http.Request, until time.Time) string {
	at := strconv.FormatInt(until.Unix(), 10)
	return requestPrefix + at + "_" + s.sign("request", r.Method, r.URL.EscapedPath(), at)
}

// IsFor reports whether a token is for this request.
func (s Secret) IsFor(token string, r *http.Request, now time.Time) bool {
	text, ok := strings.CutPrefix(token, requestPrefix)
	at, signed, _ := strings.Cut(text, "_")
	return ok && !passed(at, now) && s.signed(signed, "request", r.Method, r.URL.EscapedPath(), at)
}

// sign is what only those who know the secret can say of words, none of which has a zero byte in it.
func (s Secret) sign(words ...string) string {
	h := hmac.New(sha256.New, []byte(s.text))
	_, _ = io.WriteString(h, strings.Join(words, "\x00")) // a hash takes all
	return hex.EncodeToString(h.Sum(nil))
}

func (s Secret) signed(signature string, words ...string) bool {
	return s.text != "" && equal(signature, s.sign(words...))
}

// passed reports whether a time, in seconds since 1970, is over, or none.
func passed(text string, now time.Time) bool {
	at, err := strconv.ParseInt(text, 10, 64)
	return err != nil || now.Unix() >= at
}
