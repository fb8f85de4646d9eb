package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"
)

var errSession = errors.New("not signed in")

// sessions makes and checks cookies: user, end, and a MAC over both.
type sessions struct {
	key  []byte
	life time.Duration
}

func (s sessions) issue(user uint32, now time.Time) string {
	b := make([]byte, 12, 12+sha256.Size)
	binary.BigEndian.PutUint32(b, user)
	binary.BigEndian.PutUint64(b[4:], uint64(now.Add(s.life).Unix()))
	return base64.RawURLEncoding.EncodeToString(s.mac(b))
}

// mac appends the MAC of b to b.
func (s sessions) mac(b []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write(b)
	return h.Sum(b)
}

func (s sessions) user(cookie string, now time.Time) (uint32, error) {
	b, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil || len(b) != 12+sha256.Size {
		return 0, errSession
	}
	if !hmac.Equal(s.mac(b[:12:12]), b) || binary.BigEndian.Uint64(b[4:]) < uint64(now.Unix()) {
		return 0, errSession
	}
	return binary.BigEndian.Uint32(b), nil
}
