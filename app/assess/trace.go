package assess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// A TraceRequest names an execution trace to read.
type TraceRequest struct {
	File    string    // "-" is Stdin
	Stdin   io.Reader // read only then
	Profile string    // also make this profile of it; "": none. See trace.Profiles
}

// A Traced is what an execution trace says. It encodes as `casebook trace --json`.
type Traced struct {
	*traces.Summary

	Profile *profile.Profile `json:"-"` // nil if none was asked for
}

// Trace reads an execution trace of any size.
func Trace(ctx context.Context, r TraceRequest) (*Traced, error) {
	in, name := r.Stdin, "standard input"
	if r.File != "-" {
		f, err := openfile.Open(r.File)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in, name = f, r.File
	}
	t, err := trace.Read(ctx, name, in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	out := &Traced{Summary: t.Summary()}
	if r.Profile != "" {
		out.Profile, err = t.Profile(r.Profile)
	}
	return out, err
}

// WriteProfile writes a profile to a new file, whole or not at all.
func WriteProfile(p *profile.Profile, file string) error {
	part := file + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err = errors.Join(p.Write(f), f.Close()); err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		_ = os.Remove(part) // the first error is the one to report
	}
	return err
}
