package load

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/openfile"
)

// A Schedule is a Pace with its text.
type Schedule struct {
	Text string
	// Arrivals says how the requests of its rates are spaced: as one of Arrivals, "poisson and constant" where pieces
	// differ, or "replay".
	Arrivals string
	Pace     Pace
	Ends     time.Duration // when its arrivals end; 0 if they continue

	parts []part // nil of a replay
}

// A part of a schedule is as many pieces as there are one after another with the same kind of arrivals.
type part struct {
	curve
	arrivals Arrivals
}

// PaceText is the grammar of ParseSchedule, for help and errors.
const PaceText = `poisson RATE [FOR]                  at random times, like independent users
constant RATE [FOR]                 evenly spaced
ramp RATE..RATE FOR                 linearly from one rate to the other
step RATE..RATE by RATE every FOR   in steps, up or down
sine RATE..RATE every PERIOD [FOR]  up and down, starting in the middle
replay FILE [xSPEED]                the arrivals in a file, x2 twice as fast`

// ArrivalsText says how the arrivals of other shapes are chosen, for help.
const ArrivalsText = `Ramp, step and sine also send at random times (a Poisson process of that rate).
"constant" before them spaces requests evenly: constant ramp 100..2000 60s.`

// maxPieces bounds the pieces of a schedule: stairs and what "then" joins.
const maxPieces = 10_000

// ParseSchedule reads a schedule: pieces of PaceText, joined by "then". A RATE is a number of requests a second, or
// with /m or /h a minute or an hour. Times are Go durations. A piece without an end can only be the last. A file of
// arrivals stands alone, and is read here: see ReadArrivals. The random moments are those of seed 0: see Seeded.
func ParseSchedule(text string) (Schedule, error) {
	s, err := parseSchedule(strings.Fields(text))
	if err != nil {
		return Schedule{}, fmt.Errorf("pace %q: %w", text, err)
	}
	s.Text = strings.Join(strings.Fields(text), " ")
	return s, nil
}

func parseSchedule(words []string) (Schedule, error) {
	if len(words) > 0 && words[0] == "replay" {
		return parseReplay(words[1:])
	}
	var curves []curve
	var kinds []Arrivals
	for len(words) > 0 || len(curves) == 0 {
		piece, rest, more := cutThen(words)
		shape, arrivals := cutArrivals(piece)
		c, err := parsePiece(shape)
		if err != nil {
			return Schedule{}, err
		}
		curves = append(curves, c...)
		kinds = append(kinds, slices.Repeat([]Arrivals{arrivals}, len(c))...)
		if len(curves) > maxPieces {
			return Schedule{}, fmt.Errorf("it has more than %d pieces: make the steps larger", maxPieces)
		}
		if more && len(rest) == 0 {
			return Schedule{}, errors.New(`nothing comes after the last "then"`)
		}
		if more && math.IsInf(curves[len(curves)-1].length, 1) {
			return Schedule{}, fmt.Errorf("%q never ends, but something follows it: give it a time, for instance: %s "+
				"30s",
				strings.Join(piece, " "), strings.Join(piece, " "))
		}
		words = rest
	}
	return scheduleOf(curves, kinds)
}

// cutArrivals takes the word for the arrivals from a piece. Without a shape behind it that word is a shape: "poisson
// 50" is of a constant rate, as "constant 50" is.
func cutArrivals(words []string) (shape []string, a Arrivals) {
	if len(words) == 0 {
		return words, RandomArrivals
	}
	a = Arrivals(words[0])
	if a != RandomArrivals && a != EvenArrivals {
		return words, RandomArrivals
	}
	if len(words) > 1 && slices.Contains([]string{"ramp", "step", "sine", "constant"}, words[1]) {
		return words[1:], a
	}
	return words, a
}

// scheduleOf requires at least one arrival.
func scheduleOf(curves []curve, kinds []Arrivals) (Schedule, error) {
	length, count := 0.0, 0.0
	for _, c := range curves {
		length += c.length
		count += c.count
	}
	s := Schedule{parts: partsOf(curves, kinds)}
	switch {
	case count == 0:
		return s, errors.New("it has no arrivals: give a rate above 0")
	case !math.IsInf(length, 1) && length > maxDuration.Seconds():
		return s, fmt.Errorf("it takes %.0f h: want at most %.0f", length/3600, maxDuration.Hours())
	case !math.IsInf(length, 1):
		s.Ends = time.Duration(length * float64(time.Second))
	}
	s.Arrivals = string(s.parts[0].arrivals)
	if len(s.parts) > 1 {
		s.Arrivals = string(RandomArrivals + " and " + EvenArrivals)
	}
	return s.Seeded(0), nil
}

// partsOf joins curves that follow one another and have the same arrivals.
func partsOf(curves []curve, kinds []Arrivals) []part {
	var parts []part
	for i := 0; i < len(curves); {
		j := i
		for j < len(curves) && kinds[j] == kinds[i] {
			j++
		}
		parts = append(parts, part{join(curves[i:j]), kinds[i]})
		i = j
	}
	return parts
}

// Mean returns how many arrivals a second it has on average; for random arrivals, the expected value. It is 0 for one
// that never ends.
func (s Schedule) Mean() float64 {
	if s.Ends <= 0 {
		return 0
	}
	if s.parts == nil {
		_, n := Between(s.Pace, 0, s.Ends)
		return float64(n) / s.Ends.Seconds()
	}
	count := 0.0
	for _, p := range s.parts {
		count += p.count
	}
	return count / s.Ends.Seconds()
}

// Seeded returns the schedule with the random moments of a seed. A replay has none.
func (s Schedule) Seeded(seed uint64) Schedule {
	if s.parts == nil {
		return s
	}
	paces := make([]Pace, len(s.parts))
	starts := make([]time.Duration, len(s.parts))
	ends := make([]uint64, len(s.parts)) // arrivals until the end of each
	t, n := 0.0, uint64(0)
	for k, p := range s.parts {
		var count uint64
		if p.arrivals == EvenArrivals {
			paces[k], count = p.even()
		} else {
			paces[k], count = p.random(seed + uint64(k)*0x9e3779b97f4a7c15) // its own process each
		}
		if n += count; count == math.MaxUint64 { // only the last has no end
			n = count
		}
		starts[k], ends[k] = time.Duration(t*float64(time.Second)), n
		t += p.length
	}
	s.Pace = func(i uint64) (time.Duration, bool) {
		k := sort.Search(len(ends), func(k int) bool { return ends[k] > i })
		if k == len(ends) {
			return 0, false
		}
		if k > 0 {
			i -= ends[k-1]
		}
		at, ok := paces[k](i)
		return starts[k] + at, ok
	}
	return s
}

// cutThen splits words at the first "then", and says whether there is one.
func cutThen(words []string) (piece, rest []string, more bool) {
	for i, w := range words {
		if w == "then" {
			return words[:i], words[i+1:], true
		}
	}
	return words, nil, false
}

// parsePiece reads a piece: several curves when it is a stair.
func parsePiece(words []string) ([]curve, error) {
	shape := ""
	if len(words) > 0 {
		shape, words = words[0], words[1:]
	}
	a := arguments{words: words}
	var curves []curve
	switch shape {
	case string(RandomArrivals), string(EvenArrivals):
		rate := a.rate()
		curves = []curve{constantCurve(rate, a.timeOrEver())}
	case "ramp":
		from, to := a.rates()
		curves = []curve{rampCurve(from, to, a.time())}
	case "step":
		from, to := a.rates()
		by := a.word("by").rate()
		curves = a.stair(from, to, by, a.word("every").time())
	case "sine":
		low, high := a.rates()
		if low >= high {
			a.fail("a sine goes between two rates, the lower first")
		}
		period := a.word("every").time()
		curves = []curve{sineCurve(low, high, period, a.timeOrEver())}
	default:
		return nil, fmt.Errorf("unknown shape %q: want one of\n%s", shape, PaceText)
	}
	if a.err == nil && len(a.words) > 0 {
		a.fail(fmt.Sprintf("unexpected %q", strings.Join(a.words, " ")))
	}
	if a.err != nil {
		return nil, fmt.Errorf("%s: %w; want: %s", shape, a.err, usageOf(shape))
	}
	return curves, nil
}

// usageOf returns the line of PaceText about a shape.
func usageOf(shape string) string {
	for line := range strings.Lines(PaceText) {
		if strings.HasPrefix(line, shape+" ") {
			form, _, _ := strings.Cut(line, "  ")
			return form
		}
	}
	return PaceText
}

// parseReplay reads FILE [xSPEED]. The file's name may have spaces.
func parseReplay(words []string) (Schedule, error) {
	speed := 1.0
	if n := len(words); n > 1 && strings.HasPrefix(words[n-1], "x") {
		x, err := strconv.ParseFloat(words[n-1][1:], 64)
		if err != nil || !(x >= 0.001 && x <= 1000) {
			return Schedule{}, fmt.Errorf("%q is not a speed from x0.001 to x1000, such as x2", words[n-1])
		}
		speed, words = x, words[:n-1]
	}
	if len(words) == 0 {
		return Schedule{}, errors.New("replay needs the file with the arrivals, for instance: replay access.log x2")
	}
	path := strings.Join(words, " ")
	f, err := openfile.Open(path)
	if err != nil {
		return Schedule{}, fmt.Errorf("reading the arrivals: %w", err)
	}
	defer f.Close() // it was only read
	offsets, err := ReadArrivals(f)
	if err != nil {
		return Schedule{}, fmt.Errorf("reading the arrivals of %s: %w", path, err)
	}
	if err := checkSpan(offsets[len(offsets)-1], speed, path); err != nil {
		return Schedule{}, err
	}
	for i := range offsets {
		offsets[i] = time.Duration(float64(offsets[i]) / speed)
	}
	// the last arrival leaves at its time
	return Schedule{Arrivals: "replay", Pace: Replay(offsets), Ends: offsets[len(offsets)-1] + 1}, nil
}

// checkSpan refuses a replay that would take longer than a run may. It asks before the times are stretched: those of a
// span of years at x0.001 are no Duration any more.
func checkSpan(last time.Duration, speed float64, path string) error {
	const fastest = 1000
	if float64(last)/speed <= float64(maxDuration) {
		return nil
	}
	faster := math.Ceil(float64(last) / float64(maxDuration))
	if faster > fastest {
		return fmt.Errorf("the arrivals of %s span %v, at x%g still above %v: cut the file",
			path, last.Round(time.Second), float64(fastest), maxDuration)
	}
	return fmt.Errorf("the arrivals of %s span %v, at x%g above %v: replay them faster, for instance: replay %s x%.0f",
		path, last.Round(time.Second), speed, maxDuration, path, faster)
}
