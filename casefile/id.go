package casefile

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"
)

const (
	idTime     = "20060102T150405Z" // sorts by time as text
	maxRule    = 40                 // bytes of the rule's name in an ID
	maxID      = len(idTime) + 1 + maxRule + 1 + 2*idRandom
	idRandom   = 3 // bytes: six hexadecimal digits
	noRuleName = "case"
)

// NewID returns an ID for a case opened at t by the named rule: "20261121T132512Z-gc-cpu-3f2a9c", in UTC, safe as a
// file name everywhere. The suffix is random. Two processes that draw the same one within a second are told apart by
// Create, which never uses a folder twice.
func NewID(t time.Time, rule string) string {
	var suffix [idRandom]byte
	_, _ = rand.Read(suffix[:]) // documented never to fail
	return t.UTC().Format(idTime) + "-" + slug(rule) + "-" + hex.EncodeToString(suffix[:])
}

// ValidID reports whether id has the form that NewID gives. Such an ID has no separator, no dot and no space in it:
// joined to a directory it stays inside.
func ValidID(id string) bool {
	if len(id) > maxID || len(id) <= len(idTime)+1+1+2*idRandom {
		return false
	}
	if _, err := time.Parse(idTime, id[:len(idTime)]); err != nil || id[len(idTime)] != '-' {
		return false
	}
	rest := id[len(idTime)+1:]
	cut := len(rest) - 2*idRandom
	return rest[cut-1] == '-' && isSlug(rest[:cut-1]) && isHex(rest[cut:])
}

// slug keeps the lower-case letters and digits of s and puts one hyphen for everything between them.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if b.Len() >= maxRule {
			break
		}
		if isSlugChar(r) {
			b.WriteRune(r)
		} else if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	if out := strings.TrimRight(b.String(), "-"); out != "" {
		return out
	}
	return noRuleName
}

func isSlug(s string) bool { return s != "" && slug(s) == s }

func isSlugChar(r rune) bool { return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' }

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
