package settings

import (
	"fmt"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// A Limit is a setting that bounds how much is kept: a negative one means no limit, and below Least a unit was
// forgotten (a MaxAge of 30 is 30 ns).
type Limit struct {
	Field string // of casefile.Retention, where zero means the default
	Flag  string // of the commands, without dashes; there zero is refused
	Text  string // what it does, for the help of a flag

	Least, Default int64
	bytes          bool
	none           string // what stands for no limit in the flag
	write          func(int64) string
}

// Defaults of what a folder of cases keeps; casefile.Retention says why.
const (
	DefaultKeepBytes = 1 << 30
	DefaultKeepAge   = 30 * 24 * time.Hour
	DefaultKeepCases = 200
)

// What a folder of cases keeps.
var (
	KeepBytes = Limit{Field: "MaxBytes", Flag: "keep-bytes", Text: "remove the oldest cases above this total `size`",
		Least: 1 << 20, Default: DefaultKeepBytes, bytes: true, none: "-1", write: number.SettingBytes}
	KeepAge = Limit{Field: "MaxAge", Flag: "keep-age", Text: "remove cases older than this",
		Least: int64(time.Minute), Default: int64(DefaultKeepAge),
		none: "-1s", write: func(v int64) string { return number.Setting(time.Duration(v)) }}
	KeepCases = Limit{Field: "MaxCases", Flag: "keep-cases", Text: "remove the oldest cases above this `number`",
		Least: 1, Default: DefaultKeepCases, none: "-1", write: func(v int64) string {
			return strconv.FormatInt(v,
				10)
		}}
)

// Usage is the help of the flag.
func (l *Limit) Usage() string {
	return l.Text + ", " + l.write(l.Least) + " or more; " + l.none + " means no limit"
}

// CheckField is an error in the words of the Go API: "field MaxAge is 30ns; it must be 1m or more, or negative for no
// limit". Zero is the default.
func (l *Limit) CheckField(v int64) error {
	if v == 0 {
		return nil
	}
	shown := l.write(v)
	if l.bytes {
		shown = strconv.FormatInt(v, 10) // as it stands in the program
	}
	return l.check("field "+l.Field, shown, v, "negative")
}

// CheckFlag is an error in the words of a command: "--keep-age is 30ns; it must be 1m or more, or -1s for no limit".
func (l *Limit) CheckFlag(v int64) error { return l.check("--"+l.Flag, l.write(v), v, l.none) }

func (l *Limit) check(name, shown string, v int64, none string) error {
	if v >= 0 && v < l.Least {
		return fmt.Errorf("%s is %s; it must be %s or more, or %s for no limit", name, shown, l.write(l.Least), none)
	}
	return nil
}
