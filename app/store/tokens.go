package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// A Role is what the holder of a token may do. Each may do what the one before may.
type Role string

// The roles, in rising order.
const (
	Viewer   Role = "viewer"   // read cases
	Uploader Role = "uploader" // send cases
	Operator Role = "operator" // remove cases, capture from targets
)

// Allows reports whether a role may do what needs another.
func (r Role) Allows(needed Role) bool {
	order := []Role{Viewer, Uploader, Operator}
	have := slices.Index(order, r)
	return have >= 0 && have >= slices.Index(order, needed)
}

// A Token is one that was given to somebody. What it is itself nobody knows but they.
type Token struct {
	Name    string    `json:"name"`
	Role    Role      `json:"role"`
	Created time.Time `json:"created"`
}

const tokenPrefix = "casebook_" // so that scanners for secrets in code can know one

// CreateToken makes a token and returns it, the only time that it can be seen.
func (s *Store) CreateToken(ctx context.Context, name string, role Role) (string, error) {
	if name == "" || len(name) > 100 || cut(name) != name {
		return "", fmt.Errorf("%w: a token needs a name of 1 to 100 bytes, such as who has it", ErrInvalid)
	}
	if !role.Allows(Viewer) {
		return "", fmt.Errorf("%w: there is no role %.20q; roles are %s, %s and %s", ErrInvalid, role, Viewer, Uploader,
			Operator)
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // documented never to fail
	token := tokenPrefix + base64.RawURLEncoding.EncodeToString(random[:])
	done, err := s.index.exec(ctx, s.index.db, "INSERT INTO tokens (name, role, hash, created) VALUES ($1, $2, $3, $4) "+
		"ON CONFLICT (name) DO NOTHING", name, string(role), tokenHash(token), s.now().UnixMilli())
	if err != nil {
		return "", fmt.Errorf("creating a token: %w", s.index.explain(err))
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return "", fmt.Errorf("creating a token: there is one of the name %q: revoke it first, or take another name", name)
	}
	return token, nil
}

// Tokens lists the tokens by name.
func (s *Store) Tokens(ctx context.Context) ([]Token, error) {
	rows, err := s.index.query(ctx, "SELECT name, role, created FROM tokens ORDER BY name")
	if err != nil {
		return nil, fmt.Errorf("listing tokens: %w", s.index.explain(err))
	}
	defer rows.Close()
	list := []Token{}
	for rows.Next() {
		var t Token
		var created int64
		if err := rows.Scan(&t.Name, &t.Role, &created); err != nil {
			return nil, fmt.Errorf("listing tokens: %w", s.index.explain(err))
		}
		t.Created = fromMilli(created)
		list = append(list, t)
	}
	return list, s.index.explain(rows.Err())
}

// RevokeToken makes a token worthless.
func (s *Store) RevokeToken(ctx context.Context, name string) error {
	done, err := s.index.exec(ctx, s.index.db, "DELETE FROM tokens WHERE name = $1", name)
	if err == nil {
		var n int64
		if n, err = done.RowsAffected(); err == nil && n != 1 {
			err = ErrNotFound
		}
	}
	if err != nil {
		return fmt.Errorf("revoking token %.100q: %w", name, s.index.explain(err))
	}
	return nil
}

// WhoHas returns whose token it is. ErrNotFound says that it is nobody's. The database is asked for the token's hash:
// how long it compares says nothing of a token.
func (s *Store) WhoHas(ctx context.Context, token string) (Token, error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	var t Token
	var created int64
	err := s.index.queryRow(ctx, "SELECT name, role, created FROM tokens WHERE hash = $1", tokenHash(token)).Scan(&t.Name,
		&t.Role, &created)
	t.Created = fromMilli(created)
	return t, s.index.explain(err)
}

func tokenHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
