package load

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bounds on the input of ReadArrivals.
const (
	maxArrivals    = 10_000_000 // 80 MB
	maxArrivalLine = 1 << 20    // URLs in access logs are long
)

// ReadArrivals reads when requests came, one a line, and gives their offsets from the first, in order. A line begins
// with one of these, and what follows a space or comma does not matter:
//
//	0.125                        seconds since some moment, or Unix time in s, ms, µs or ns, depending on its size
//	125ms                        a Go duration since some moment
//	2026-11-21T19:32:11.5Z       a time (RFC 3339)
//
// or it is of an access log, whose time is in brackets: [21/Nov/2026:19:32:11 +0000]. Lines that are empty or begin
// with # are skipped. Lines need not be in order: servers log a request when it ends. When no time has a fraction of a
// second, the arrivals of each second are spread evenly over it.
func ReadArrivals(r io.Reader) ([]time.Duration, error) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxArrivalLine)
	var times []int64 // nanoseconds
	for line := 1; scanner.Scan(); line++ {
		text := strings.TrimSpace(scanner.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		ns, err := parseArrival(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if len(times) == maxArrivals {
			return nil, fmt.Errorf("line %d: more than %d arrivals: use a part of the file", line, maxArrivals)
		}
		times = append(times, ns)
	}
	if errors.Is(scanner.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("a line longer than %d bytes: is it a text file with one arrival per line?",
			maxArrivalLine)
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	if len(times) == 0 {
		return nil, errors.New("it has no arrivals: want one time per line")
	}
	slices.Sort(times)
	// A second is left to spread the last arrivals over.
	if span := times[len(times)-1] - times[0]; span < 0 || span > math.MaxInt64-int64(time.Second) {
		return nil, errors.New("it spans more than 292 years: are all its times in the same format?")
	}
	return offsets(times), nil
}

// offsets returns the times since the first, spread over their second when they are of whole seconds.
func offsets(times []int64) []time.Duration {
	second := int64(time.Second)
	out := make([]time.Duration, len(times))
	for i, t := range times {
		out[i] = time.Duration(t - times[0])
	}
	if slices.ContainsFunc(times, func(t int64) bool { return t%second != 0 }) {
		return out
	}
	for i := 0; i < len(out); {
		j := i
		for j < len(out) && times[j] == times[i] {
			j++
		}
		for k := i; k < j; k++ {
			out[k] += time.Duration(int64(k-i) * second / int64(j-i))
		}
		i = j
	}
	return out
}

// parseArrival returns the time of a line in nanoseconds.
func parseArrival(line string) (int64, error) {
	if _, rest, ok := strings.Cut(line, " ["); ok {
		if stamp, _, ok := strings.Cut(rest, "]"); ok {
			if t, err := time.Parse("02/Jan/2006:15:04:05 -0700", stamp); err == nil {
				return nanoseconds(t)
			}
		}
	}
	word := line
	if i := strings.IndexAny(line, " \t,;"); i >= 0 {
		word = line[:i]
	}
	if d, err := time.ParseDuration(word); err == nil && word != "0" {
		return int64(d), nil
	}
	if t, err := time.Parse(time.RFC3339, word); err == nil {
		return nanoseconds(t)
	}
	ns, err := parseSeconds(word)
	if err != nil {
		return 0, fmt.Errorf("%.60q does not begin with a time: want seconds (0.125), a duration (125ms), a time "+
			"(2026-11-21T19:32:11.5Z) or a line of an access log", line)
	}
	return ns, nil
}

// nanoseconds returns a time since 1970, which a Time far from it does not have.
func nanoseconds(t time.Time) (int64, error) {
	if t.Year() < 1700 || t.Year() > 2200 {
		return 0, fmt.Errorf("the year %d is out of range", t.Year())
	}
	return t.UnixNano(), nil
}

// parseSeconds reads a number whose size shows its unit: Unix times of our days are 1.7·10⁹ s, and a thousand times
// more are milliseconds, and so on. The bounds are the year 2255 of the smaller unit and April 1970 of the larger.
func parseSeconds(word string) (int64, error) {
	f, err := strconv.ParseFloat(word, 64)
	if err != nil || !(math.Abs(f) < 9e18) {
		return 0, errors.New("not a number")
	}
	scale := float64(time.Second)
	for limit := 9e9; limit < 9e18 && math.Abs(f) >= limit; limit *= 1000 {
		scale /= 1000
	}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil { // exact where a float64 is not
		return n * int64(scale), nil
	}
	return int64(f * scale), nil
}
