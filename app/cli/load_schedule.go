package cli

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// settleSeed picks a random seed if none was given. JSON's numbers are exact to 2⁵³.
func (f *loadFlags) settleSeed() {
	if f.seed == 0 {
		f.seed = rand.Uint64N(1<<53-1) + 1
	}
}

// schedule returns the pace that the flags ask for.
func (f *loadFlags) schedule() (load.Schedule, error) {
	arrivals, pace := f.arrivals()
	switch {
	case f.rate != "" && pace != "":
		return load.Schedule{}, errors.New("--rate goes only with --pace poisson or --pace constant: " +
			"leave out --rate, or write the rate in --pace, such as 'poisson 500'")
	case f.rate == "" && f.pace != "" && pace == "":
		return load.Schedule{}, fmt.Errorf("--pace %s says how requests are spaced: how many a second? For instance: "+
			"--pace '%s 500'", f.pace, f.pace)
	case f.rate == "" && f.pace == "":
		return load.Schedule{}, errors.New("how many requests a second? For instance: --rate 500, " +
			"or --pace 'ramp 100..2000 60s'")
	case f.rate != "":
		if _, err := load.ParseRate(f.rate); err != nil {
			return load.Schedule{}, fmt.Errorf("--rate: %w", err)
		}
		s, err := load.ParseSchedule(string(arrivals) + " " + f.rate)
		return s.Seeded(f.seed), err
	}
	s, err := load.ParseSchedule(f.pace)
	if err != nil {
		return s, fmt.Errorf("--%w", err)
	}
	return s.Seeded(f.seed), nil
}

// arrivals returns how the requests of --rate are spaced, if --pace says so in one word, and otherwise the schedule in
// --pace.
func (f *loadFlags) arrivals() (load.Arrivals, string) {
	switch a := load.Arrivals(strings.TrimSpace(f.pace)); a {
	case load.RandomArrivals, load.EvenArrivals:
		return a, ""
	}
	return load.RandomArrivals, f.pace
}

// longest is the duration of a load that ends by its count.
const longest = 7 * 24 * time.Hour

// setEnd sets when the load ends.
func (f *loadFlags) setEnd(cfg *load.Config, s load.Schedule) {
	cfg.Pace, cfg.Duration = s.Pace, f.duration
	if f.count > 0 {
		cfg.Pace = load.First(f.count, s.Pace)
	}
	switch {
	case f.duration != 0:
	case s.Ends > 0:
		cfg.Duration = s.Ends
	case f.count > 0:
		cfg.Duration = longest
	default:
		cfg.Duration = 10 * time.Second
	}
}

// parseMaxErrors reads "100" or "5%".
func parseMaxErrors(text string) (n uint64, share float64, err error) {
	if text == "" {
		return 0, 0, nil
	}
	wrong := fmt.Errorf("--max-errors: %q is neither a number above 0 nor a share such as 5%%", text)
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		p, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
		if err != nil || !(p > 0 && p <= 100) {
			return 0, 0, wrong
		}
		return 0, p / 100, nil
	}
	if n, err = strconv.ParseUint(text, 10, 64); err != nil || n == 0 {
		return 0, 0, wrong
	}
	return n, 0, nil
}
