// Package sprintf makes keys.
package sprintf

import (
	"fmt"
	"time"
)

type packet struct {
	site   uint16
	class  uint8
	minute uint32
	id     int64
}

// key is lab/holdout/meterd.
func (p packet) key() string {
	return fmt.Sprintf("site=%d/class=%02x/minute=%d", p.site, p.class, p.minute%1440)
}

type user string
type level int

func (l level) String() string { return "level" }

type day int

func forms(a string, u user, n int, b bool, i int64, h uint64) []string {
	return []string{
		fmt.Sprintf("%s:%d", a, n),
		fmt.Sprintf("%v-%v-%v", u, b, i),
		fmt.Sprintf("%d%%", n),
		fmt.Sprintf("%x", h),
		fmt.Sprintf("%d/%s", day(n), a+"x"),
		fmt.Sprintf("%s.%d", a, n)[1:],
	}
}

func refused(l level, f float64, err error, d time.Duration, n int, args []any) []string {
	return []string{
		fmt.Sprintf("%v %d", l, n),
		fmt.Sprintf("%.2f %d", f, n),
		fmt.Sprintf("%v %d", err, n),
		fmt.Sprintf("%s %d", d, n),
		fmt.Sprintf("%5d", n),
		fmt.Sprintf("%q", "x"),
		fmt.Sprintf("%x", n),
		fmt.Sprintf("%d", n, n),
		fmt.Sprintf("%d %d", args...),
	}
}

func dated(user int64, day time.Time, kind byte) string {
	return fmt.Sprintf("seen:%d:%04d-%02d-%02d:%c", user, day.Year(), day.Month(), day.Day(), kind)
}

// mixed are of two days.
func mixed(a, b time.Time) string {
	return fmt.Sprintf("%04d-%02d-%02d", a.Year(), b.Month(), a.Day())
}
