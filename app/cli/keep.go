package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/casefile"
)

// keepFlags are the flags that bound what a folder of cases keeps.
type keepFlags struct {
	bytes byteCount
	age   time.Duration
	cases int
}

func (f *keepFlags) add(flags *pflag.FlagSet) {
	f.bytes = casefile.DefaultMaxBytes
	flags.Var(&f.bytes, "keep-bytes",
		"remove the oldest cases above this total `size`, 1MiB or more; -1 means no limit")
	flags.DurationVar(&f.age, "keep-age", casefile.DefaultMaxAge,
		"remove cases older than this, 1m or more; -1s means no limit")
	flags.IntVar(&f.cases, "keep-cases", casefile.DefaultMaxCases,
		"remove the oldest cases above this `number`; -1 means no limit")
}

// keepText explains the flags, for the help of the commands that have them.
const keepText = `The oldest cases are removed when there are too many, when they are too old, or
when they take too much disk space. These stay: the first and the worst case of
each rule, the newest case, cases that cannot be read, and cases that are being
written.`

// retention refuses a zero that a person typed, because casefile would treat it as "the default". It names the flag at
// fault.
func (f *keepFlags) retention() (casefile.Retention, error) {
	keep := casefile.Retention{MaxBytes: int64(f.bytes), MaxAge: f.age, MaxCases: f.cases}
	switch {
	case f.bytes == 0:
		return keep, fmt.Errorf("--keep-bytes is 0; it must be 1MiB or more, or -1 for no limit")
	case f.age == 0:
		return keep, fmt.Errorf("--keep-age is 0s; it must be 1m or more, or -1s for no limit")
	case f.cases == 0:
		return keep, fmt.Errorf("--keep-cases is 0; it must be 1 or more, or -1 for no limit")
	}
	if err := (casefile.Retention{MaxBytes: keep.MaxBytes}).Validate(); err != nil {
		return keep, fmt.Errorf("--keep-bytes: %w", err)
	}
	if err := (casefile.Retention{MaxAge: keep.MaxAge}).Validate(); err != nil {
		return keep, fmt.Errorf("--keep-age: %w", err)
	}
	return keep, nil
}

// A byteCount is a flag's value in bytes: "1GiB", "500MB", "1048576". It is a pflag.Value.
type byteCount int64

// byteUnits has the powers of 1024, as GOMEMLIMIT writes them, and the powers of 1000. The larger ones come first, so
// that String finds the largest that fits.
var byteUnits = [...]struct {
	name string
	size int64
}{
	{"TiB", 1 << 40}, {"TB", 1e12}, {"GiB", 1 << 30}, {"GB", 1e9}, {"MiB", 1 << 20}, {"MB", 1e6}, {"KiB", 1 << 10},
	{"KB", 1e3}, {"B", 1},
}

// Set reads a number, which may have a fraction, and a unit. Without a unit it is a number of bytes.
func (b *byteCount) Set(text string) error {
	number, unit := strings.TrimSpace(text), int64(1)
	for _, u := range byteUnits {
		if n := len(number) - len(u.name); n > 0 && strings.EqualFold(number[n:], u.name) {
			number, unit = strings.TrimSpace(number[:n]), u.size
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(v) || math.Abs(v)*float64(unit) >= math.MaxInt64 {
		return fmt.Errorf("want a size such as 1GiB, 500MB or 1048576")
	}
	*b = byteCount(v * float64(unit))
	return nil
}

// String returns the value in the largest unit that leaves no fraction.
func (b *byteCount) String() string {
	for _, u := range byteUnits {
		if v := int64(*b); v != 0 && v%u.size == 0 {
			return strconv.FormatInt(v/u.size, 10) + u.name
		}
	}
	return "0"
}

// Type returns what help calls the value.
func (b *byteCount) Type() string { return "size" }
