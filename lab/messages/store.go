package messages

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// A store keeps the newest message of each sender.
type store struct{ db *pebble.DB }

// openStore opens the one in a folder, or makes it.
func openStore(dir, values string) (store, error) {
	o := &pebble.Options{Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest}
	if values == valuesSeparate {
		o.Experimental.ValueSeparationPolicy = separate
	}
	db, err := pebble.Open(dir, o)
	if err != nil {
		return store{}, fmt.Errorf("opening the store in %s: %w", dir, err)
	}
	return store{db}, nil
}

// separate has values of 4 KiB and more in files of their own, which are written again only when half of what they hold
// is no longer the newest.
func separate() pebble.ValueSeparationPolicy {
	return pebble.ValueSeparationPolicy{Enabled: true, MinimumSize: 4 << 10, MaxBlobReferenceDepth: 64,
		RewriteMinimumAge: 10 * time.Second, TargetGarbageRatio: 0.5}
}

func (s store) put(sender string, message []byte) error {
	return s.db.Set([]byte(sender), message, pebble.NoSync)
}

// get gives nil for a sender of whom there is none.
func (s store) get(sender string) ([]byte, error) {
	message, done, err := s.db.Get([]byte(sender))
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return bytes.Clone(message), done.Close()
}

func (s store) close() error { return s.db.Close() }

// quiet is Pebble's logger: what goes wrong is returned, too.
type quiet struct{}

func (quiet) Infof(string, ...any)      {}
func (quiet) Errorf(string, ...any)     {}
func (quiet) Fatalf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }
