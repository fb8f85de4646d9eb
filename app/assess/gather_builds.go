package assess

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Two is a pair of files of one call that do not belong together.
type Two struct {
	A, B string // files
	Why  string // "they are of two builds of shop"

	Compared bool // B is judged, and compared with A; otherwise both are judged as one process
}

// Limits on what is looked at to tell builds apart: profiles are decoded a second time.
const (
	mostOfBuild  = 20
	largeOfBuild = 16 << 20 // bytes, decompressed: a small file may be a bomb
)

// apartMost is how far profiles of one trouble are apart at most.
const apartMost = 24 * time.Hour

// besides judges the earlier of two profiles, if two of one kind are all that was given and no process can have made
// both: whoever names them means to compare them. The gatherer keeps the later one. It returns nil of anything else.
func (r *DiagnoseRequest) besides(ctx context.Context, g *gatherer, res *Diagnosed) *side {
	all := g.in.Evidence
	two, found := twoBuilds(all)
	if !found || len(all) != 2 || g.ofFolder != nil {
		return nil
	}
	a, b := smallProfile(all[0].Data), smallProfile(all[1].Data)
	if !sameKind(a, b) {
		return nil
	}
	if b.TimeNanos < a.TimeNanos {
		two.A, two.B = two.B, two.A
		all[0], all[1] = all[1], all[0]
	}
	earlier := *g
	earlier.in.Evidence, g.in.Evidence = all[:1:1], all[1:]
	earlier.failed = nil
	if two.Compared = true; r.Mixed != nil {
		r.Mixed(two)
	}
	res.Beside = true
	return r.judge(ctx, &earlier, judging{compared: true}, res)
}

// sameKind reports whether two profiles measure the same of one program.
func sameKind(a, b *profile.Profile) bool {
	return path.Base(a.Mapping[0].File) == path.Base(b.Mapping[0].File) &&
		slices.EqualFunc(a.SampleType, b.SampleType, func(x, y *profile.ValueType) bool { return *x == *y })
}

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
			return Two{A: first, B: e.Name, Why: why}, true
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
	case fell(a, b):
		return "they are of two runs of " + path.Base(m.File) + ": the later one has allocated less in all"
	case between > apartMost && a.TimeNanos > 0 && b.TimeNanos > 0:
		return fmt.Sprintf("they were taken %.0f days apart", between.Hours()/24)
	}
	return ""
}

// fell reports whether what a process allocated in all, which never falls, is less in the later of two heap profiles.
func fell(a, b *profile.Profile) bool {
	if a.TimeNanos == 0 || b.TimeNanos == 0 {
		return false
	}
	if a.TimeNanos > b.TimeNanos {
		a, b = b, a
	}
	before, now := allocated(a), allocated(b)
	return now > 0 && now < before
}

// allocated is how many bytes a heap profile says were allocated in all; 0 of another profile.
func allocated(p *profile.Profile) (sum float64) {
	i := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == "alloc_space" })
	if i < 0 || p.DurationNanos > 0 { // of a time alone
		return 0
	}
	for _, s := range p.Sample {
		if i < len(s.Value) {
			sum += float64(s.Value[i])
		}
	}
	return sum
}
