package evidence

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// laterName is a file's name in the second set: "heap.pb.gz" becomes "heap-later.pb.gz".
func laterName(file string) string {
	stem, extension, _ := strings.Cut(file, ".")
	stem = strings.TrimSuffix(stem, "-before")
	return stem + "-later." + extension
}

// apart is how far apart samples of the time between two sets are kept: they would be half of all evidence otherwise.
const apart = time.Second

// jitter is by how much a sample may come early.
const jitter = 100 * time.Millisecond

// samplesAfter are samples of a history that a first case cannot have, with some left out.
func samplesAfter(history []byte, since time.Time) ([]byte, error) {
	h, samples, err := vitals.ReadJSONL(bytes.NewReader(history))
	if err != nil {
		return nil, err
	}
	last := since
	samples = slices.DeleteFunc(samples, func(s vitals.Sample) bool {
		if s.Time.Sub(last) < apart-jitter {
			return true
		}
		last = s.Time
		return false
	})
	var b bytes.Buffer
	err = vitals.WriteJSONL(&b, samples, h.Catalog, h.Absent)
	return b.Bytes(), err
}

// wait sleeps, unless ctx ends first.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
