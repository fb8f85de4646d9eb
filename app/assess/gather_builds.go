package assess

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"path"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Two is a pair of files of one call that do not belong together.
type Two struct {
	A, B string // files
	Why  string // "they are of two builds of shop"
}

// Limits on what is looked at to tell builds apart: profiles are decoded a second time.
const (
	mostOfBuild  = 20
	largeOfBuild = 16 << 20 // bytes, decompressed: a small file may be a bomb
)

// apartMost is how far profiles of one trouble are apart at most.
const apartMost = 24 * time.Hour

// twoBuilds finds two profiles of different programs, of different builds of one, or of different days.
func twoBuilds(evidence []diagnose.Evidence) (two Two, found bool) {
	first, of := "", (*profile.Profile)(nil)
	looked := 0
	for _, e := range evidence {
		if e.Value != nil || !stacks.IsGzip(e.Data) {
			continue
		}
		if looked++; looked > mostOfBuild {
			break
		}
		p := smallProfile(e.Data)
		if p == nil || len(p.Mapping) == 0 || p.Mapping[0].File == "" {
			continue
		}
		if of == nil {
			first, of = e.Name, p
		} else if why := apart(of, p); why != "" {
			return Two{first, e.Name, why}, true
		}
	}
	return two, false
}

// smallProfile decodes a profile; nil of what is none, or large.
func smallProfile(data []byte) *profile.Profile {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	plain, err := io.ReadAll(io.LimitReader(r, largeOfBuild+1))
	if err != nil || len(plain) > largeOfBuild {
		return nil
	}
	p, err := profile.ParseUncompressed(plain)
	if err != nil {
		return nil
	}
	return p
}

// apart says why two profiles are not of one process; "" where nothing speaks against it.
func apart(a, b *profile.Profile) string {
	m, n := a.Mapping[0], b.Mapping[0]
	between := time.Duration(b.TimeNanos - a.TimeNanos).Abs()
	switch {
	case path.Base(m.File) != path.Base(n.File):
		return "they are of two programs, " + path.Base(m.File) + " and " + path.Base(n.File)
	case m.BuildID != n.BuildID && m.BuildID != "" && n.BuildID != "":
		return "they are of two builds of " + path.Base(m.File)
	case between > apartMost && a.TimeNanos > 0 && b.TimeNanos > 0:
		return fmt.Sprintf("they were taken %.0f days apart", between.Hours()/24)
	}
	return ""
}
