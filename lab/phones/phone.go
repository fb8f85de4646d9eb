package phones

import (
	"errors"
	"strconv"
)

// A Phone is a Russian phone number: 11 decimal digits of which the first is 7, as one integer (79161234567). In this
// form a phone takes 8 bytes and holds no pointer.
type Phone uint64

const (
	firstPhone Phone = 70_000_000_000
	lastPhone  Phone = 79_999_999_999
)

var errPhone = errors.New("want 11 digits starting with 7, like +79161234567")

// ParsePhone reads "79161234567" or "+79161234567". A space is taken for the plus sign: that is what an unescaped plus
// sign in a query becomes.
func ParsePhone(s string) (Phone, error) {
	if len(s) == 12 && (s[0] == '+' || s[0] == ' ') {
		s = s[1:]
	}
	if len(s) != 11 {
		return 0, errPhone
	}
	var p Phone
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, errPhone
		}
		p = p*10 + Phone(s[i]-'0')
	}
	if p < firstPhone || p > lastPhone {
		return 0, errPhone
	}
	return p, nil
}

// Digits is the phone as 11 digits, the form upstreams and string caches use.
func (p Phone) Digits() string { return strconv.FormatUint(uint64(p), 10) }

// String is the phone as people dial it: "+79161234567".
func (p Phone) String() string { return "+" + p.Digits() }
