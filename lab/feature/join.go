package feature

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// The values of -join: how the groups of an answer are put together.
const (
	joinDecode = "decode" // each is decoded, and the whole is encoded
	joinCopy   = "copy"   // their bytes are copied one behind the other
)

var joinNames = []string{joinDecode, joinCopy}

// join appends the answer for a user: {"groups":{"clicks":{…},…},"user":7}.
func (s *Compute) join(ctx context.Context, b []byte, user uint64, names []groupID) ([]byte, error) {
	if s.config.Join == joinDecode {
		return s.joinDecoded(ctx, b, user, names)
	}
	return s.joinCopied(ctx, b, user, names)
}

// joinCopied copies what the cache has into the answer. Only when something is missing is all of it collected first.
func (s *Compute) joinCopied(ctx context.Context, b []byte, user uint64, names []groupID) ([]byte, error) {
	start := len(b)
	period := s.lifetime.of(time.Now())
	b = appendOpen(b)
	for i, g := range names {
		b = appendName(b, i, g)
		var hit bool
		if b, hit = s.lookup(b, newKey(user, g, period)); !hit {
			return s.joinLoaded(ctx, b[:start], user, names)
		}
	}
	return appendClose(b, user), nil
}

func (s *Compute) joinLoaded(ctx context.Context, b []byte, user uint64, names []groupID) ([]byte, error) {
	groups, err := s.load(ctx, user)
	if err != nil {
		return b, err
	}
	b = appendOpen(b)
	for i, g := range names {
		b = append(appendName(b, i, g), groups[g]...)
	}
	return appendClose(b, user), nil
}

// An answer is what the compute tier says of a user.
type answer struct {
	Groups map[string]any `json:"groups"`
	User   uint64         `json:"user"`
}

// joinDecoded collects the groups, decodes them, and encodes the answer.
func (s *Compute) joinDecoded(ctx context.Context, b []byte, user uint64, names []groupID) ([]byte, error) {
	groups, err := s.collect(ctx, user, names)
	if err != nil {
		return b, err
	}
	out := answer{Groups: make(map[string]any, len(names)), User: user}
	for _, g := range names {
		var group map[string]any
		if err := json.Unmarshal(groups[g], &group); err != nil {
			return b, fmt.Errorf("decoding group %s of user %d: %w", g, user, err)
		}
		out.Groups[g.String()] = group
	}
	body, err := json.Marshal(out)
	if err != nil {
		return b, fmt.Errorf("encoding the groups of user %d: %w", user, err)
	}
	return append(b, body...), nil
}

// collect gets the JSON of groups, from the cache or loaded.
func (s *Compute) collect(ctx context.Context, user uint64, names []groupID) (groups loaded, err error) {
	period := s.lifetime.of(time.Now())
	for _, g := range names {
		var hit bool
		if groups[g], hit = s.lookup(nil, newKey(user, g, period)); !hit {
			return s.load(ctx, user)
		}
	}
	return groups, nil
}

// lookup appends a group that the local cache has.
func (s *Compute) lookup(b []byte, k key) ([]byte, bool) {
	b, hit := s.local.Append(b, k)
	s.metrics.localCache.lookup(hit)
	return b, hit
}
