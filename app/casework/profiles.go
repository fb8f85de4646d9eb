package casework

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"sync"

	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/store"
)

// profiles draws pages of profiles.
type profiles struct {
	views
	drawings drawings
}

func (p *profiles) view(ctx context.Context, w io.Writer, id string, query url.Values) error {
	c, e, err := p.choose(ctx, id, query.Get("file"), isCPU, isProfile)
	if err != nil {
		return err
	}
	in := report.ProfileInput{Case: c, File: e.File, TagRoot: query.Get("tagroot"), TagLeaf: query.Get("tagleaf"),
		Links: serverLinks}
	if err := in.Valid(); err != nil {
		return fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	if base := query.Get("base"); base != "" {
		if in.Base, err = p.base(ctx, base); err != nil {
			return err
		}
	}
	if in.Others, err = p.others(ctx, &c); err != nil {
		return err
	}
	d, err := p.drawing(ctx, in)
	if err != nil {
		return err
	}
	return d.Write(w, in)
}

// drawing draws a profile, or finds it drawn. Who waits for another to be drawn may find that one.
func (p *profiles) drawing(ctx context.Context, in report.ProfileInput) (d *report.Drawing, err error) {
	key, err := drawingKey(&in)
	if d = p.drawings.get(key); d != nil || err != nil {
		return d, err
	}
	waited := InTurn(ctx, func() {
		if d = p.drawings.get(key); d != nil {
			return
		}
		if in.Data, err = p.read(ctx, in.Case.ID, in.File); err != nil {
			return
		}
		if in.Base != nil {
			base := *in.Base
			if base.Data, err = p.read(ctx, base.Case.ID, base.File); err != nil {
				return
			}
			in.Base = &base
		}
		if d, err = report.DrawProfile(in); err == nil {
			p.drawings.put(key, d)
		}
	})
	return d, errors.Join(waited, err)
}

// A drawingID is a hash of all that a drawing is made of: the labels that are frames, and of evidence the name and the
// checksum, which are in its case.
type drawingID [sha256.Size]byte

func drawingKey(in *report.ProfileInput) (drawingID, error) {
	of := []any{in.Case, in.File, in.TagRoot, in.TagLeaf}
	if in.Base != nil {
		of = append(of, in.Base.Case, in.Base.File)
	}
	text, err := json.Marshal(of)
	return sha256.Sum256(text), err
}

// drawingsPart is the part of what may be parsed that drawings may hold: one in so many. A drawing has two megabytes at
// most.
const drawingsPart = 16

// drawings are those that were asked for last.
type drawings struct {
	most int64 // bytes

	mu   sync.Mutex // guards what follows
	held []heldDrawing
	size int64 // bytes
}

// A heldDrawing is one, the last of them asked for last.
type heldDrawing struct {
	id drawingID
	*report.Drawing
}

func (d *drawings) get(id drawingID) *report.Drawing {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := slices.IndexFunc(d.held, func(h heldDrawing) bool { return h.id == id })
	if at < 0 {
		return nil
	}
	found := d.held[at]
	d.held = append(slices.Delete(d.held, at, at+1), found)
	return found.Drawing
}

func (d *drawings) put(id drawingID, one *report.Drawing) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held, d.size = append(d.held, heldDrawing{id, one}), d.size+one.Bytes()
	for d.size > d.most && len(d.held) > 0 {
		d.size -= d.held[0].Bytes()
		d.held = slices.Delete(d.held, 0, 1)
	}
}
