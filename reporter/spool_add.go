package reporter

import (
	"archive/zip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"syscall"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/flock"
)

// add packs the case in folder into the spool. When it returns nil the zip is on the disk. dropped is how many waiting
// cases had to make room; older versions of the same case, which it replaces, do not count.
func (s *spool) add(ctx context.Context, folder string) (it item, dropped int, err error) {
	from, err := casefile.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return item{}, 0, final(err) // removed by retention; it will not come back
	}
	if err != nil {
		return item{}, 0, err
	}
	return s.store(ctx, parcel{func(to io.Writer) error { return casefile.Export(from, to) }, identify})
}

// addMessage keeps what a webhook is to be sent of a case.
func (s *spool) addMessage(ctx context.Context, id string, body []byte) (it item, dropped int, err error) {
	sum := sha256.Sum256(body)
	named := item{id: id, sum: hex.EncodeToString(sum[:]), size: int64(len(body)), message: true}
	if _, ok := parseItem(named.name()); !ok {
		return item{}, 0, final(fmt.Errorf("the case's ID %.80q is not one that Casebook assigns", id))
	}
	return s.store(ctx, parcel{
		func(to io.Writer) error { _, err := to.Write(body); return err },
		func(io.ReaderAt, int64) (item, error) { return named, nil },
	})
}

// A parcel is what is put into a spool: its content, and what tells which item that is.
type parcel struct {
	fill     func(io.Writer) error
	identify func(io.ReaderAt, int64) (item, error)
}

// store writes a parcel under another name first: what has an item's name is whole.
func (s *spool) store(ctx context.Context, p parcel) (it item, dropped int, err error) {
	root, err := s.open()
	if err != nil {
		return item{}, 0, err
	}
	defer root.Close()
	part := partPrefix + rand.Text()
	it, err = s.write(ctx, root, part, p)
	if err == nil {
		err = root.Rename(part, it.name())
	}
	if err != nil {
		_ = root.Remove(part) // the first error is the one to report
		return item{}, 0, err
	}
	if err := syncFolder(root); err != nil {
		return item{}, 0, err
	}
	dropped, err = s.makeRoom(root, it)
	return it, dropped, err
}

// write packs the parcel into a new file and says which item that is.
func (s *spool) write(ctx context.Context, root *os.Root, part string, p parcel) (item, error) {
	f, err := root.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return item{}, err
	}
	defer f.Close()
	if err := flock.Try(f); err != nil && !errors.Is(err, flock.ErrUnsupported) {
		return item{}, err
	}
	to := &boundedWriter{stop: ctx.Err, to: f, left: s.most}
	if err := p.fill(to); err != nil {
		return item{}, err
	}
	if err := f.Sync(); err != nil {
		return item{}, err
	}
	return p.identify(f, s.most-to.left)
}

// identify reads the ID and the checksum from the zip itself: the folder may have changed since it was packed.
func identify(f io.ReaderAt, size int64) (item, error) {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return item{}, fmt.Errorf("reading back the zip: %w", err)
	}
	for _, file := range z.File {
		id, name := path.Split(file.Name)
		if name != "case.json" {
			continue
		}
		r, err := file.Open()
		if err != nil {
			return item{}, fmt.Errorf("reading back the zip: %w", err)
		}
		defer r.Close()
		sum := sha256.New()
		if _, err := io.Copy(sum, r); err != nil {
			return item{}, fmt.Errorf("reading back the zip: %w", err)
		}
		it := item{id: path.Clean(id), sum: hex.EncodeToString(sum.Sum(nil)), size: size}
		if _, ok := parseItem(it.name()); !ok {
			return item{}, final(fmt.Errorf("the case's ID %.80q is not one that Casebook assigns", it.id))
		}
		return it, nil
	}
	return item{}, final(errors.New("the zip has no case.json in it"))
}

// makeRoom removes older versions of the case just added and then, refused ones first and the oldest first, as many
// as the bounds ask for. The new one stays.
func (s *spool) makeRoom(root *os.Root, added item) (dropped int, err error) {
	items, err := s.list(root)
	if err != nil {
		return 0, err
	}
	var total int64
	var refused, waiting []item
	for _, it := range items {
		switch {
		case it.key() == added.key(): // the new one, or it again that was refused meanwhile
			total += it.size
			continue
		case it.id == added.id:
			err = errors.Join(err, s.remove(root, it))
			continue
		case it.refused != 0:
			refused = append(refused, it)
		default:
			waiting = append(waiting, it)
		}
		total += it.size
	}
	left := 1 + len(refused) + len(waiting)
	for _, it := range append(refused, waiting...) {
		if total <= s.most && left <= maxItems {
			break
		}
		if e := s.remove(root, it); e != nil {
			err = errors.Join(err, e)
			continue
		}
		total, left, dropped = total-it.size, left-1, dropped+1
	}
	return dropped, err
}

// A boundedWriter ends a packing that takes too much room or too much time.
type boundedWriter struct {
	stop func() error // not nil when time is up
	to   io.Writer
	left int64 // bytes
}

func (w *boundedWriter) Write(p []byte) (int, error) {
	if err := w.stop(); err != nil {
		return 0, err
	}
	if int64(len(p)) > w.left {
		return 0, final(errors.New("the case is larger than MaxSpoolBytes allows"))
	}
	n, err := w.to.Write(p)
	w.left -= int64(n)
	return n, err
}

// syncFolder makes a rename last. Windows cannot open a folder for it, and some network file systems do not know how.
func syncFolder(root *os.Root) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := root.Open(".")
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, f.Close())
}
