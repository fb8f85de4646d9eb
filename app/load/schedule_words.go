package load

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// arguments are the words of a piece that are not read yet. After the first error all reads give something harmless.
type arguments struct {
	words []string
	err   error
}

func (a *arguments) fail(text string) {
	if a.err == nil {
		a.err = errors.New(text)
	}
}

// next takes a word; "" if there is none.
func (a *arguments) next() string {
	if len(a.words) == 0 {
		return ""
	}
	w := a.words[0]
	a.words = a.words[1:]
	return w
}

// word takes a word that must be there.
func (a *arguments) word(want string) *arguments {
	if got := a.next(); got != want {
		a.fail(fmt.Sprintf("there is %q, want %q", got, want))
	}
	return a
}

func (a *arguments) rate() float64 {
	r, err := ParseRate(a.next())
	if err != nil {
		a.fail(err.Error())
		return 1
	}
	return r
}

// rates takes FROM..TO.
func (a *arguments) rates() (from, to float64) {
	word := a.next()
	first, second, ok := strings.Cut(word, "..")
	if !ok {
		a.fail(fmt.Sprintf("%q is not a range of rates such as 100..2000", word))
		return 1, 2
	}
	b := arguments{words: []string{first, second}, err: a.err}
	from, to = b.rate(), b.rate()
	a.err = b.err
	return from, to
}

func (a *arguments) time() float64 {
	word := a.next()
	d, err := time.ParseDuration(word)
	if err != nil || d < time.Millisecond || d > maxDuration {
		a.fail(fmt.Sprintf("%q is not a time from 1ms to %v, such as 30s", word, maxDuration))
		return 1
	}
	return d.Seconds()
}

// timeOrEver takes a time, or forever when no word is left.
func (a *arguments) timeOrEver() float64 {
	if len(a.words) == 0 {
		return math.Inf(1)
	}
	return a.time()
}

// stair returns a constant curve for each step, the last with the rate to, or as near as steps come to it.
func (a *arguments) stair(from, to, by, each float64) []curve {
	steps := math.Abs(to-from) / by
	if !(steps < maxPieces) { // no steps at all of a height of 0
		a.fail(fmt.Sprintf("steps of %v from %v to %v are %v steps: want at most %d",
			by, from, to, math.Floor(steps), maxPieces))
		return nil
	}
	var curves []curve
	for i := range int(steps+1e-9) + 1 {
		curves = append(curves, constantCurve(from+math.Copysign(by, to-from)*float64(i), each))
	}
	return curves
}

// ParseRate reads a rate: requests a second, or with /m or /h a minute or an hour.
func ParseRate(text string) (float64, error) {
	number, unit, _ := strings.Cut(text, "/")
	per := map[string]float64{"": 1, "s": 1, "m": 60, "h": 3600}[unit]
	n, err := strconv.ParseFloat(number, 64)
	rate := n / per // of no unit: NaN or infinite
	if err != nil || !(rate >= 0 && rate <= MaxRate) || strings.ContainsAny(number, "xXpP_") {
		return 0, fmt.Errorf("%q is not a rate: want requests a second from 0 to %.0f, such as 500, 500/s, 30/m or "+
			"2000/h", text, MaxRate)
	}
	return rate, nil
}
