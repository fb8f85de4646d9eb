package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// Over a database that servers on several machines share, a part is a blob and a row of the database: whichever server
// gets the next part goes on. When the zip is whole it is written into the scratch folder of the server that has the last
// part, and taken in from there. That each part is written to the bucket and read once more is the price.

// An arrivedPart is a row of parts: the bytes of a zip from begins to before ends.
type arrivedPart struct {
	begins, ends int64
	blob         string
}

func (p *arrivedPart) size() int64 { return p.ends - p.begins }

// partBlob names a part's bytes. It is no checksum: of two that send different bytes as the same part, the zip's own
// checksum tells.
func partBlob(upload string, begins, ends int64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "part %s %d-%d", upload, begins, ends))
	return hex.EncodeToString(sum[:])
}

// addShared is AddPart.
func (s *Store) addShared(ctx context.Context, p *Part) (arrived int64, whole bool, r Receipt, err error) {
	if err := p.check(); err != nil {
		return 0, false, r, err
	}
	upload := uploadKey(p.ID, p.SHA256)
	list, err := s.index.parts(ctx, upload)
	if err != nil {
		return 0, false, r, err
	}
	if arrived = ends(list); arrived != p.Offset {
		return arrived, false, r, &OffsetError{arrived}
	}
	if err := s.parts.begin(upload, p.Sender); err != nil {
		return 0, false, r, err
	}
	defer s.parts.end(upload)
	if p.Offset < p.Size {
		// The sender may have gone: what came is kept nevertheless.
		arrived, err = s.keepPart(context.WithoutCancel(ctx), p, upload)
		if err != nil || arrived < p.Size {
			return arrived, false, r, err
		}
	}
	whole, r, err = s.putShared(ctx, p, upload)
	return arrived, whole, r, err
}

// keepPart receives a part and keeps it. Of a body that is cut short, what came is kept.
func (s *Store) keepPart(ctx context.Context, p *Part, upload string) (arrived int64, err error) {
	file, err := s.scratchFile()
	if err != nil {
		return p.Offset, err
	}
	z := &spooled{file: file}
	defer z.discard()
	var cut error
	z.size, cut = p.receive(file, func(n int64) error { return s.roomFor(ctx, upload, n) })
	if cut != nil && !kept(cut) {
		return p.Offset, cut
	}
	if z.size == 0 {
		return p.Offset, cut
	}
	ctx, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	stamp, err := s.newStamp(ctx)
	if err != nil {
		return p.Offset, err
	}
	part := arrivedPart{p.Offset, p.Offset + z.size, blobName(partBlob(upload, p.Offset, p.Offset+z.size), stamp)}
	err = s.blobs.put(ctx, part.blob, z.size, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(file, 0, z.size))
		return err
	})
	if err == nil {
		err = s.blobs.sync(ctx)
	}
	if err == nil {
		err = s.notePart(ctx, upload, p.Sender, &part)
	}
	if err != nil {
		return p.Offset, err
	}
	return part.ends, cut
}

// notePart writes the row of a part whose blob is durable. Of two that arrived at once, one is kept.
func (s *Store) notePart(ctx context.Context, upload, sender string, part *arrivedPart) error {
	var n int64
	err := s.index.within(ctx, func(tx *sql.Tx) error {
		bound, err := s.index.lockBound(ctx, tx)
		if err != nil {
			return err
		}
		if _, stamp, _ := readBlobName(part.blob); stamp <= bound {
			return errSwept
		}
		done, err := s.index.exec(ctx, tx, "INSERT INTO parts (upload, begins, ends, blob, arrived, sender) "+
			"VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (upload, begins) DO NOTHING", upload, part.begins, part.ends,
			part.blob, s.now().UnixMilli(), cut(sender))
		if err == nil {
			n, err = done.RowsAffected()
		}
		return err
	})
	if err != nil || n == 1 {
		return err
	}
	list, err := s.index.parts(ctx, upload)
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].begins == part.begins && list[i].ends == part.ends { // the same bytes, sent twice
			if list[i].blob == part.blob {
				return nil
			}
			return s.removeBlobs(ctx, []string{part.blob})
		}
	}
	return errors.Join(&OffsetError{ends(list)}, s.removeBlobs(ctx, []string{part.blob}))
}

// putShared takes the case in when all of it has arrived. done says that the parts are not needed any more, and are
// removed.
func (s *Store) putShared(ctx context.Context, p *Part, upload string) (done bool, r Receipt, err error) {
	file, err := s.scratchFile()
	if err != nil {
		return false, r, err
	}
	z := &spooled{file: file}
	defer z.discard()
	list, err := s.index.parts(ctx, upload)
	if err == nil && ends(list) != p.Size { // another server has taken it in meanwhile
		err = &OffsetError{ends(list)}
		if len(list) == 0 { // the last part came too late, and nobody would ask for it
			err = errors.Join(err, s.forgetUpload(ctx, upload))
		}
		return false, r, err
	}
	for i := range list {
		if err == nil {
			err = s.appendPart(ctx, file, &list[i])
		}
	}
	if errors.Is(err, ErrNotFound) { // somebody has emptied the bucket: the sender begins anew
		return false, r, errors.Join(&OffsetError{}, s.forgetUpload(ctx, upload))
	}
	if err != nil {
		return false, r, err
	}
	z.size = p.Size
	done, r, err = s.putParts(ctx, p, z)
	if !done {
		return false, r, err
	}
	if left := s.forgetUpload(context.WithoutCancel(ctx), upload); left != nil { // a sweep finds them
		s.log.Warn("parts of a case stay behind", "case", p.ID, "error", left)
	}
	return true, r, err
}

func (s *Store) appendPart(ctx context.Context, file io.Writer, part *arrivedPart) error {
	b, err := s.blobs.open(ctx, part.blob, part.size())
	if err != nil {
		return err
	}
	defer b.Close()
	out := &outcome{w: file}
	_, err = io.Copy(out, b)
	if out.err != nil {
		return full(out.err)
	}
	return err
}

// parts are those of an upload that follow each other from the beginning.
func (x *index) parts(ctx context.Context, upload string) (list []arrivedPart, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	rows, err := x.query(ctx, "SELECT begins, ends, blob FROM parts WHERE upload = $1 ORDER BY begins", upload)
	if err != nil {
		return nil, x.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var p arrivedPart
		if err := rows.Scan(&p.begins, &p.ends, &p.blob); err != nil {
			return nil, x.explain(err)
		}
		if p.begins == ends(list) {
			list = append(list, p)
		}
	}
	return list, x.explain(rows.Err())
}

// ends is how much has arrived.
func ends(list []arrivedPart) int64 {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1].ends
}

// heldRows lists what is there in part, at all servers together.
func (s *Store) heldRows(ctx context.Context) (list []heldUpload, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	rows, err := s.index.query(ctx, "SELECT upload, MAX(sender), SUM(ends - begins), MAX(arrived) FROM parts "+
		"GROUP BY upload")
	if err != nil {
		return nil, s.index.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var u heldUpload
		var last int64
		if err := rows.Scan(&u.key, &u.sender, &u.bytes, &last); err != nil {
			return nil, s.index.explain(err)
		}
		u.last = fromMilli(last)
		list = append(list, u)
	}
	return list, s.index.explain(rows.Err())
}

// forgetUpload removes the parts of an upload.
func (s *Store) forgetUpload(ctx context.Context, upload string) error {
	return s.forgetParts(ctx, "upload = $1", upload)
}

// forgetOldParts removes the parts of uploads that had none for a while.
func (s *Store) forgetOldParts(ctx context.Context) error {
	return s.forgetParts(ctx, "upload IN (SELECT upload FROM parts GROUP BY upload HAVING MAX(arrived) < $1)",
		s.now().Add(-partAge).UnixMilli())
}

func (s *Store) forgetParts(ctx context.Context, which string, args ...any) error {
	rows, err := s.index.query(ctx, "DELETE FROM parts WHERE "+which+" RETURNING blob", args...)
	if err != nil {
		return s.index.explain(err)
	}
	defer rows.Close()
	var old []string
	for rows.Next() {
		var blob string
		if err := rows.Scan(&blob); err != nil {
			return s.index.explain(err)
		}
		old = append(old, blob)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return s.index.explain(err)
	}
	return s.removeBlobs(ctx, old)
}

// removeBlobs removes blobs of parts: no case has them under that name.
func (s *Store) removeBlobs(ctx context.Context, names []string) error {
	var errs []error
	for _, name := range names {
		if err := s.blobs.remove(ctx, name); err != nil && !errors.Is(err, ErrNotFound) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
