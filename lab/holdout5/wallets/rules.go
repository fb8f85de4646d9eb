package main

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// Rules decide whether a transfer looks like fraud.
type Rules struct {
	Rounds int
	Limit  uint64
}

// ErrSuspicious is the rules' answer.
var ErrSuspicious = errors.New("transfer looks like fraud")

// Check scores a transfer against the payer's history, whose lock is held: a seeded walk over its fingerprints.
func (r Rules) Check(p *Purse, t Transfer) error {
	sum := sha256.Sum256([]byte(t.Memo))
	for i := range r.Rounds {
		binary.LittleEndian.PutUint64(sum[:], uint64(p.points+i))
		if n := len(p.history); n > 0 {
			sum[9] ^= byte(p.history[i%n].Points)
		}
		sum = sha256.Sum256(sum[:])
	}
	if binary.LittleEndian.Uint64(sum[:])%r.Limit == 1 {
		return ErrSuspicious
	}
	return nil
}
