package recorder

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/number"
)

// maxUnpacked bounds what a profile may grow to when it is unpacked: hundreds of times what a usual one has.
const maxUnpacked = 128 << 20

// joinWindows makes one window of windows that follow each other. The gaps between them are missing from the result,
// and its note says so.
func joinWindows(ws []Window) (Window, error) {
	if len(ws) == 1 {
		w := ws[0]
		w.Data = slices.Clone(w.Data)
		return w, nil
	}
	out := Window{Began: ws[0].Began, Ended: ws[len(ws)-1].Ended}
	var profiles []*profile.Profile
	gap := out.Ended.Sub(out.Began)
	for _, w := range ws {
		p, err := parse(w.Data, maxUnpacked)
		if err != nil {
			return Window{}, err
		}
		profiles = append(profiles, p)
		gap -= w.Ended.Sub(w.Began)
		out.Note = joinNotes(out.Note, w.Note)
	}
	merged, err := profile.Merge(profiles)
	if err != nil {
		return Window{}, err
	}
	var b bytes.Buffer
	if err := merged.Write(&b); err != nil {
		return Window{}, err
	}
	out.Data = b.Bytes()
	out.Note = joinNotes(out.Note, fmt.Sprintf("joined from %d windows; %s between them are missing", len(ws),
		number.Duration(gap)))
	return out, nil
}

// parse reads a gzipped profile of at most limit bytes, unpacked.
func parse(data []byte, limit int64) (*profile.Profile, error) {
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("unpacking: %w", err)
	}
	raw, err := io.ReadAll(io.LimitReader(zr, limit+1))
	if err != nil {
		return nil, fmt.Errorf("unpacking: %w", err)
	}
	if int64(len(raw)) > limit {
		return nil, errors.New("the profile is too large to be joined")
	}
	return profile.ParseUncompressed(raw)
}
