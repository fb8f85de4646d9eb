package casefile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A Zip is a case as it travels, read where it is: for those who keep cases elsewhere than in folders. It was checked as
// Import checks one, up to the evidence, which Extract checks. One Zip is for one goroutine at a time.
type Zip struct {
	Case   Case
	Record []byte // case.json as it is in the zip; it may have fields that this version does not know
	p      *zipPackage
	left   int64 // bytes that may still be unpacked
}

// OpenZip reads the list of files and case.json of a zip that Export wrote, under Import's limits.
func OpenZip(r io.ReaderAt, size int64) (*Zip, error) {
	p, err := openPackage(r, size, defaultZipLimits())
	if err != nil {
		return nil, fmt.Errorf("opening a case's zip: %w", explain(err))
	}
	return &Zip{Case: p.c, Record: p.record, p: p, left: p.lim.total}, nil
}

// Extract writes a piece of evidence of the case to w. The error says when it is not what case.json says of it, in size
// or checksum; what was written by then is of no use.
func (z *Zip) Extract(e Evidence, w io.Writer) error {
	if err := z.extract(e, w); err != nil {
		return fmt.Errorf("unpacking %s: %w", e.File, explain(err))
	}
	return nil
}

func (z *Zip) extract(e Evidence, w io.Writer) error {
	i := slices.IndexFunc(z.p.files, func(f packedFile) bool { return f.name == e.File })
	if i < 0 {
		return errors.New("the zip is damaged: it has no such file")
	}
	rc, err := z.p.files[i].file.Open()
	if err != nil {
		return err
	}
	defer rc.Close()
	limit := min(z.left, z.p.lim.file, e.Bytes)
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(rc, limit+1))
	z.left -= n
	switch got := hex.EncodeToString(sum.Sum(nil)); {
	case err != nil:
		return err
	case n != e.Bytes:
		return fmt.Errorf("the zip is damaged: %s says %d bytes, and it has %s", caseName, e.Bytes, least(n, limit))
	case got != e.SHA256:
		return fmt.Errorf("the zip is damaged: its sha256 is %s, %s says %s", got, caseName, e.SHA256)
	}
	return nil
}

// least says how many bytes a file has of which no more than one above limit was read.
func least(n, limit int64) string {
	if n > limit {
		return "more"
	}
	return fmt.Sprint(n)
}
