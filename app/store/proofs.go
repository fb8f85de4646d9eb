package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A Proof is a measurement of a case's remedy, as it was sent.
type Proof struct {
	Case     string    `json:"case"`
	Received time.Time `json:"received"`
	Who      string    `json:"who,omitempty"` // the token's name
	casefile.Proof
}

// MaxProof bounds a proof's JSON. One of 40 figures has 20 KB.
const MaxProof = 4 << 20

// maxProofs bounds the proofs of a case.
const maxProofs = 100

// AddProof adds a proof to a case, which shows the proof that was taken last. known says that the case had it.
func (s *Store) AddProof(ctx context.Context, id string, p casefile.Proof, who string) (known bool, err error) {
	data, err := checkedProof(&p)
	if err == nil {
		known, err = s.insertProof(ctx, id, p, data, who)
	}
	if err == nil {
		err = s.Change(ctx, id, func(c *casefile.Case) {
			if c.Proof == nil || !p.Taken.Before(c.Proof.Taken) {
				c.AddProof(&p)
			}
		})
	}
	if err != nil {
		return false, fmt.Errorf("adding a proof to case %.60q: %w", id, err)
	}
	return known, nil
}

// checkedProof refuses what is JSON, but no proof.
func checkedProof(p *casefile.Proof) ([]byte, error) {
	switch p.Verdict {
	case casefile.Better, casefile.Worse, casefile.Same, casefile.CannotTell:
	default:
		return nil, fmt.Errorf("%w: its verdict is %.20q; it must be better, worse, same or cannot tell", ErrInvalid,
			p.Verdict)
	}
	if p.Taken.IsZero() || p.Summary == "" || len(p.Figures) == 0 {
		return nil, fmt.Errorf("%w: it is no proof; it needs taken, summary and figures, as casebook prove writes them",
			ErrInvalid)
	}
	data, err := json.Marshal(p)
	if err == nil && len(data) > MaxProof {
		err = fmt.Errorf("%w: more than %d bytes", ErrTooLarge, MaxProof)
	}
	return data, err
}

func (s *Store) insertProof(ctx context.Context, id string, p casefile.Proof, data []byte, who string) (known bool,
	err error) {
	if !casefile.ValidID(id) {
		return false, ErrNotFound
	}
	sum := sha256.Sum256(data)
	err = s.index.within(ctx, func(tx *sql.Tx) error {
		var n int
		err := tx.QueryRowContext(ctx, s.index.sql("SELECT COUNT(*) FROM cases WHERE id = $1"), id).Scan(&n)
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		if err != nil {
			return err
		}
		done, err := s.index.exec(ctx, tx, "INSERT INTO proofs (case_id, sum, taken, received, who, data) VALUES "+
			"($1, $2, $3, $4, $5, $6) ON CONFLICT (case_id, sum) DO NOTHING", id, hex.EncodeToString(sum[:]),
			p.Taken.UnixMilli(), s.now().UnixMilli(), cut(who), data)
		if err != nil {
			return err
		}
		changed, err := done.RowsAffected()
		known = changed == 0
		if err != nil || known {
			return err
		}
		err = tx.QueryRowContext(ctx, s.index.sql("SELECT COUNT(*) FROM proofs WHERE case_id = $1"), id).Scan(&n)
		if err == nil && n > maxProofs {
			err = fmt.Errorf("%w: the case has %d proofs already", ErrInvalid, maxProofs)
		}
		return err
	})
	return known, err
}

// Proofs lists the proofs of a case, the one that was taken last first. One that came with the case is among them.
func (s *Store) Proofs(ctx context.Context, id string) ([]Proof, error) {
	list, err := s.proofs(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("listing the proofs of case %.60q: %w", id, err)
	}
	return list, nil
}

func (s *Store) proofs(ctx context.Context, id string) ([]Proof, error) {
	c, err := s.Case(ctx, id)
	if err != nil {
		return nil, err
	}
	rows, err := s.index.query(ctx, "SELECT received, who, data FROM proofs WHERE case_id = $1 ORDER BY taken DESC, sum",
		id)
	if err != nil {
		return nil, s.index.explain(err)
	}
	defer rows.Close()
	list := []Proof{}
	for rows.Next() {
		p := Proof{Case: id}
		var received int64
		var data []byte
		err := rows.Scan(&received, &p.Who, &data)
		if err == nil {
			p.Received, err = fromMilli(received), json.Unmarshal(data, &p.Proof)
		}
		if err != nil {
			return nil, s.index.explain(err)
		}
		list = append(list, p)
	}
	if err := rows.Err(); err != nil {
		return nil, s.index.explain(err)
	}
	return withOwn(list, &c), nil
}

// copyProofs copies the proofs of a case that another store has not.
func (s *Store) copyProofs(ctx context.Context, to *Store, id string) error {
	rows, err := s.index.query(ctx, "SELECT sum, taken, received, who, data FROM proofs WHERE case_id = $1", id)
	if err != nil {
		return s.index.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var sum, who string
		var taken, received int64
		var data []byte
		if err := rows.Scan(&sum, &taken, &received, &who, &data); err != nil {
			return s.index.explain(err)
		}
		_, err := to.index.exec(ctx, to.index.db, "INSERT INTO proofs (case_id, sum, taken, received, who, data) VALUES "+
			"($1, $2, $3, $4, $5, $6) ON CONFLICT (case_id, sum) DO NOTHING", id, sum, taken, received, who, data)
		if err != nil {
			return to.index.explain(err)
		}
	}
	return s.index.explain(rows.Err())
}

// withOwn adds the proof that a case came with.
func withOwn(list []Proof, c *casefile.Case) []Proof {
	if c.Proof == nil {
		return list
	}
	for i := range list {
		if list[i].Taken.Equal(c.Proof.Taken) && list[i].Verdict == c.Proof.Verdict {
			return list
		}
	}
	return append(list, Proof{Case: c.ID, Received: c.Proof.Taken, Proof: *c.Proof})
}

// Proofs of a folder's case is the one that is in it.
func (s *Shelf) Proofs(ctx context.Context, id string) ([]Proof, error) {
	c, err := s.Case(ctx, id)
	if err != nil {
		return nil, err
	}
	return withOwn([]Proof{}, &c), nil
}

var errNoBody = errors.New("there is no JSON")

// ReadProof reads a proof as it is sent: the object of `casebook prove --json`, of proof.json, or of "proof" in
// case.json. Fields that it does not know are left out.
func ReadProof(data []byte) (casefile.Proof, error) {
	var in struct {
		casefile.Proof
		Inner *casefile.Proof `json:"proof"`
	}
	err := errNoBody
	if len(data) > 0 {
		err = json.Unmarshal(data, &in)
	}
	if err != nil {
		return casefile.Proof{}, fmt.Errorf("%w: it cannot be read as a proof: %w", ErrInvalid, err)
	}
	if in.Inner != nil {
		return *in.Inner, nil
	}
	return in.Proof, nil
}
