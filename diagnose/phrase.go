package diagnose

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// percent writes a share: "31 %", "4.2 %" below ten.
func percent(share float64) string {
	if p := 100 * share; p < 9.95 && p > 0 {
		return fmt.Sprintf("%.1f %%", p)
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// percentRange writes "20–24 %".
func percentRange(low, high float64) string {
	l, h := strings.TrimSuffix(percent(low), " %"), percent(high)
	if l+" %" == h {
		return h
	}
	return l + "–" + h
}

// count writes a number of things: "1,204", "35.0 million".
func count(n float64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1f million", n/1e6)
	case n >= 100 || n == math.Trunc(n):
		return thousands(int64(math.Round(n)))
	}
	return fmt.Sprintf("%.1f", n)
}

// things writes how many there are of something: "1 sample", "1,204 samples".
func things(n float64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return count(n) + " " + what + "s"
}

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size writes bytes in binary units: "1.40 GiB".
func size(bytes float64) string { return vitals.Bytes.Format(bytes) }

// seconds writes a duration: "10.0 s", "38 ms", "357 days".
func seconds(s float64) string {
	switch {
	case s >= 2*86400:
		return count(math.Round(s/86400)) + " days"
	case s >= 2*3600:
		return fmt.Sprintf("%.1f hours", s/3600)
	case s >= 600:
		return fmt.Sprintf("%.0f min", s/60)
	case s >= 1:
		return fmt.Sprintf("%.1f s", s)
	case s >= 1e-3:
		return fmt.Sprintf("%.0f ms", s*1e3)
	}
	return fmt.Sprintf("%.0f µs", s*1e6)
}

// minutes writes an age as dumps tell it, in whole minutes: "1 minute", "12 minutes", "9.5 hours".
func minutes(n int64) string {
	if n >= 2*60 {
		return seconds(60 * float64(n))
	}
	return things(float64(n), "minute")
}

// cores writes a level of CPU use: "1.4 cores".
func cores(c float64) string {
	if c >= 0.995 && c < 1.005 {
		return "1 core"
	}
	return fmt.Sprintf("%.2g cores", c)
}

// short is a function's name without the path of its package and without type arguments, which can be longer than all
// the rest: "gcache.(*LRUCache).set", "lru.Cache[...].Get".
func short(name string) string {
	args, rest := "", ""
	if i, j := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); i > 0 && j > i {
		name, args, rest = name[:i], "[...]", name[j+1:]
	}
	return name[strings.LastIndexByte(name, '/')+1:] + args + rest
}
