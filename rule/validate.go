package rule

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// A fault is an error in one field of a rule.
type fault struct {
	rule  int    // index; -1 for the file itself
	field string // path within the rule: "when.all[1].signal"
	text  string
}

// A faultFunc records a fault of a field.
type faultFunc func(field, format string, args ...any)

// Validate checks rules as the engine needs them, for samples of a catalog. It reports all faults, each with the rule
// and the field, joined, so that errors.As finds an Unwrap() []error with one error per fault.
func Validate(rules []Rule, catalog *vitals.Catalog) error {
	var errs []error
	for _, f := range validate(rules, catalog) {
		errs = append(errs, errors.New(f.describe(rules)))
	}
	return errors.Join(errs...)
}

func (f *fault) describe(rules []Rule) string {
	return fmt.Sprintf("rule %d (%s): %s: %s", f.rule+1, rules[f.rule].Name, f.field, f.text)
}

var nameSyntax = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

func validate(rules []Rule, catalog *vitals.Catalog) []fault {
	var faults []fault
	seen := make(map[string]bool)
	for i := range rules {
		validateRule(&rules[i], seen, catalog, func(field, format string, args ...any) {
			faults = append(faults, fault{i, field, fmt.Sprintf(format, args...)})
		})
	}
	return faults
}

func validateRule(r *Rule, seen map[string]bool, catalog *vitals.Catalog, fault faultFunc) {
	if !nameSyntax.MatchString(r.Name) {
		fault("name", "wants 1–40 lower-case letters, digits and dashes, not %q", r.Name)
	} else if seen[r.Name] {
		fault("name", "is taken by an earlier rule")
	}
	seen[r.Name] = true
	for i, kind := range r.Capture {
		if !knownCapture(kind) {
			fault(fmt.Sprintf("capture[%d]", i), "unknown kind %q; known: %s", kind, strings.Join(captureKinds[:], ", "))
		}
	}
	bounded(r.Cooldown, maxCooldown, "cooldown", fault)
	bounded(max(r.Warmup, 0), maxWarmup, "warmup", fault) // a negative one means none
	if r.PerHour > maxPerHour {
		fault("per_hour", "wants up to %d, or -1 for no limit, not %d", maxPerHour, r.PerHour)
	}
	validateCondition(&r.When, "when", catalog, fault)
}

func validateCondition(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	parts := 0
	for _, has := range [...]bool{len(c.All) > 0, len(c.Any) > 0, c.Recovered != nil} {
		if has {
			parts++
		}
	}
	switch {
	case parts > 1:
		fault(path, "has more than one of all, any and recovered; nest one in the other")
	case parts == 1:
		validateParts(c, path, catalog, fault)
	case c.Every != 0 || c.Stuck != nil || c.Polling != nil:
		validateOther(c, path, fault)
	default:
		validateTest(c, path, catalog, fault)
	}
	bounded(c.For, maxFor, path+".for", fault)
}

func validateParts(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	if c.ownFields() || c.Every != 0 || c.Stuck != nil || c.Polling != nil {
		fault(path, "has all, any or recovered and also a test of its own; put the test inside")
	}
	part := func(kid *Condition, path string) {
		if kid.edged() && (c.For > 0 || c.Recovered != nil) {
			fault(path, "is true in one sample only, so nothing around it can hold or end; put its for next to "+
				"recovered")
		}
		validateCondition(kid, path, catalog, fault)
	}
	for i := range c.All {
		part(&c.All[i], fmt.Sprintf("%s.all[%d]", path, i))
	}
	for i := range c.Any {
		part(&c.Any[i], fmt.Sprintf("%s.any[%d]", path, i))
	}
	if c.Recovered != nil {
		part(c.Recovered, path+".recovered")
	}
}

// ownFields reports whether a condition has any of the fields that test a signal.
func (c *Condition) ownFields() bool {
	return c.Signal != "" || c.Of != "" || len(c.tests()) > 0 || c.Min != nil || c.Max != nil || c.Over != 0 || len(c.Beyond) > 0
}

// validateOther checks a condition that tests no signal.
func validateOther(c *Condition, path string, fault faultFunc) {
	alone := 0
	for _, has := range [...]bool{c.Every != 0, c.Stuck != nil, c.Polling != nil} {
		if has {
			alone++
		}
	}
	if c.ownFields() || alone > 1 {
		fault(path, "has every, stuck or polling together with another test; put each into its own condition, in all "+
			"or any")
	}
	if c.Every != 0 {
		validateEvery(c, path, fault)
	}
	if c.Stuck != nil {
		validateStuck(c, path, fault)
	}
	if c.Polling != nil {
		validatePolling(c, path, fault)
	}
}

// tests names the tests that a condition has.
func (c *Condition) tests() []string {
	var names []string
	for _, t := range [...]struct {
		name string
		has  bool
	}{
		{"above", c.Above != nil}, {"below", c.Below != nil}, {"rise", c.Rise != nil},
		{"trend", c.Trend != nil}, {"periodic", c.Periodic != nil}, {"growth", c.Growth != nil}, {"grown", c.Grown != nil},
		{"bursts", c.Bursts != nil},
	} {
		if t.has {
			names = append(names, t.name)
		}
	}
	return names
}

func validateTest(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	if _, ok := catalog.Lookup(c.Signal); !ok {
		fault(path+".signal", "%s", unknownSignal(c.Signal, catalog))
	}
	if tests := c.tests(); len(tests) != 1 {
		text := fmt.Sprintf("wants exactly one of above, below, rise, trend, periodic, growth, grown and bursts, has %d", len(tests))
		if len(tests) > 0 {
			text += " (" + strings.Join(tests, ", ") + ")"
		}
		fault(path, "%s", text)
	}
	finite(c.Above, path+".above", fault)
	finite(c.Below, path+".below", fault)
	finite(c.Min, path+".min", fault)
	finite(c.Max, path+".max", fault)
	if finite(c.Rise, path+".rise", fault) {
		percentage(*c.Rise, path+".rise", fault)
	}
	if c.Trend != nil {
		validateTrend(c, path+".trend", catalog, fault)
	}
	if c.Periodic != nil {
		validatePeriodic(c.Periodic, path+".periodic", fault)
	}
	if c.Growth != nil {
		validateGrowth(c, path+".growth", catalog, fault)
	}
	if c.Grown != nil {
		validateGrown(c, path+".grown", catalog, fault)
	}
	if c.Bursts != nil {
		validateBursts(c, path+".bursts", catalog, fault)
	}
	if c.Of != "" {
		validateOf(c, path+".of", catalog, fault)
	}
	bounded(c.Over, maxOver, path+".over", fault)
	if c.Over != 0 && c.Rise == nil {
		fault(path+".over", "belongs to rise, which is not set")
	}
	if len(c.Beyond) > 0 && c.Rise == nil {
		fault(path+".beyond", "belongs to rise, which is not set; growth and grown have their own inside")
	}
	validateBeyond(c, c.Beyond, path+".beyond", catalog, fault)
	if c.Min != nil && c.Max != nil && *c.Min >= *c.Max {
		fault(path+".min", "is not below max (%g, %g)", *c.Min, *c.Max)
	}
}

// finite records a fault for NaN and the infinities, and reports whether there is a number at all.
func finite(v *float64, path string, fault faultFunc) bool {
	if v == nil {
		return false
	}
	if math.IsNaN(*v) || math.IsInf(*v, 0) {
		fault(path, "is not a finite number")
		return false
	}
	return true
}

// percentage checks a rise.
func percentage(v float64, path string, fault faultFunc) {
	if v <= 0 || v > maxRise {
		fault(path, "wants a percentage above 0 and up to %g, not %g", float64(maxRise), v)
	}
}

// bounded checks a duration whose zero is a default.
func bounded(d Duration, most time.Duration, path string, fault faultFunc) {
	switch {
	case d < 0:
		fault(path, "is negative (%s)", d)
	case time.Duration(d) > most:
		fault(path, "wants up to %s, not %s", short(most), d)
	}
}

// Values beyond these are typing errors: nobody waits that long for a rule.
const (
	maxCooldown = 366 * 24 * time.Hour
	maxWarmup   = 31 * 24 * time.Hour
	maxFor      = 7 * 24 * time.Hour
	maxOver     = 7 * 24 * time.Hour
	maxPerHour  = 3600
	maxRise     = 1e6 // percent: ten thousand times as much
)
