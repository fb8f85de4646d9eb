package anonymize

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"strings"
)

// keySize is that of a random key, in bytes; MinKey is the shortest that a person may give. A shorter one can be found
// by trying, and with it every word that might be behind a stand-in.
const (
	keySize = 32
	MinKey  = 16
)

// Options say what stays in addition to the standard library.
type Options struct {
	// Key makes stand-ins: the same word has the same one under the same key. Empty draws a random key, which nobody
	// can use again: then two cases have nothing in common.
	Key []byte
	// Keep are import paths whose functions and files stay, with those of the packages below:
	// "github.com/redis/go-redis". A build's main package is "main".
	Keep []string
}

// names makes stand-ins for words, functions and files.
type names struct {
	key  []byte
	keep []string
	seen map[string]string // by word
}

func newNames(o Options) (*names, error) {
	key := o.Key
	switch {
	case len(key) == 0:
		key = make([]byte, keySize)
		_, _ = rand.Read(key) // documented never to fail
	case len(key) < MinKey:
		return nil, errors.New("the key is shorter than 16 bytes: it could be guessed")
	}
	n := &names{key: key, seen: make(map[string]string)}
	for _, prefix := range o.Keep {
		if prefix = strings.Trim(prefix, "/"); prefix == "" {
			return nil, errors.New("an empty prefix would keep every name")
		}
		n.keep = append(n.keep, prefix)
	}
	return n, nil
}

func (n *names) sum(purpose, text string) []byte {
	h := hmac.New(sha256.New, n.key)
	h.Write([]byte(purpose + "\x00" + text))
	return h.Sum(nil)
}

// standIn writes 40 bits in lower-case letters and digits: among the 10,000 words of a large program two agree once in
// 20,000 cases.
var standIn = base32.HexEncoding.WithPadding(base32.NoPadding)

// word returns the stand-in of a word: "x" and eight letters or digits, which no word of the toolchain's begins with.
func (n *names) word(word string) string {
	if word == "" {
		return ""
	}
	out, ok := n.seen[word]
	if !ok {
		out = "x" + strings.ToLower(standIn.EncodeToString(n.sum("word", word)[:5]))
		n.seen[word] = out
	}
	return out
}

// suffix returns the end of a case's ID in the place of another's.
func (n *names) suffix(id string) string { return hex.EncodeToString(n.sum("case", id)[:3]) }
