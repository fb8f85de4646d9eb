package assess

import (
	"context"
	"fmt"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/heapdump"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/diagnose/refs"
)

// A HeapRequest names a heap dump to read.
type HeapRequest struct {
	File    string // of debug.WriteHeapDump; it is read several times, so it cannot be a pipe
	Binary  string // path of the program; "": none
	Profile string // path of a heap profile of the process; "": none
	Rows    int    // holders and sites at most
}

// Heap reads a heap dump of any size.
func Heap(ctx context.Context, r HeapRequest) (*refs.Summary, error) {
	o := heapdump.Options{Binary: r.Binary, Rows: r.Rows}
	if r.Profile != "" {
		p, err := readProfile(r.Profile)
		if err != nil {
			return nil, err
		}
		o.Profile = p
	}
	f, err := openfile.Open(r.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := heapdump.Read(ctx, r.File, f, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.File, err)
	}
	return s, nil
}

// maxHeapProfile bounds a profile's file, in bytes.
const maxHeapProfile = 96 << 20

func readProfile(file string) (*profile.Profile, error) {
	data, err := openfile.ReadBounded(file, maxHeapProfile)
	if err != nil {
		return nil, err
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}
