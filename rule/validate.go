package rule

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/number"
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
			fault(fmt.Sprintf("capture[%d]", i), "unknown kind %q; known: %s", kind,
				strings.Join(captureKinds[:], ", "))
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
	switch of := c.has(groups); {
	case len(of) > 1:
		fault(path, "has more than one of %s; nest one in the other", and(allNames(groups)))
	case len(of) == 1:
		validateParts(c, path, catalog, fault)
	case len(c.has(alone)) > 0:
		validateAlone(c, path, catalog, fault)
	default:
		validateTest(c, path, catalog, fault)
	}
	bounded(c.For, maxFor, path+".for", fault)
}

func validateParts(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	if c.ownFields() || len(c.has(alone)) > 0 {
		fault(path, "has %s and also a test of its own; put the test inside", or(allNames(groups)))
	}
	for _, p := range c.parts() {
		at := path + "." + p.place
		if p.cond.edged() && (c.For > 0 || c.kind().edge) {
			fault(at, "is true in one sample only, so nothing around it can hold or end; put its for next to recovered")
		}
		validateCondition(p.cond, at, catalog, fault)
	}
}

// ownFields reports whether a condition has any of the fields that test a signal.
func (c *Condition) ownFields() bool {
	return c.Signal != "" || c.Of != "" || len(c.has(tests)) > 0 || c.Min != nil || c.Max != nil || c.Over != 0 ||
		c.Mean != 0 || len(c.Beyond) > 0
}

// validateAlone checks a condition that tests no signal.
func validateAlone(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	if c.ownFields() || len(c.has(alone)) > 1 {
		fault(path, "has %s together with another test; put each into its own condition, in all or any",
			or(allNames(alone)))
	}
	validateKinds(c, alone, path, catalog, fault)
}

func validateTest(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	if _, ok := catalog.Lookup(c.Signal); !ok {
		fault(path+".signal", "%s", unknownSignal(c.Signal, catalog))
	}
	if has := c.has(tests); len(has) != 1 {
		text := fmt.Sprintf("wants exactly one of %s, has %d", and(allNames(tests)), len(has))
		if len(has) > 0 {
			text += " (" + strings.Join(has, ", ") + ")"
		}
		fault(path, "%s", text)
	}
	finite(c.Min, path+".min", fault)
	finite(c.Max, path+".max", fault)
	validateKinds(c, tests, path, catalog, fault)
	if c.Of != "" {
		validateOf(c, path+".of", catalog, fault)
	}
	validateOver(c, path, catalog, fault)
	validateMean(c, path+".mean", fault)
	if c.Min != nil && c.Max != nil && *c.Min >= *c.Max {
		fault(path+".min", "is not below max (%g, %g)", *c.Min, *c.Max)
	}
}

// validateKinds lets each kind check its field.
func validateKinds(c *Condition, of class, path string, catalog *vitals.Catalog, fault faultFunc) {
	for _, k := range kinds {
		if k.class == of && k.set(c) {
			k.validate(c, path, catalog, fault)
		}
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
		fault(path, "wants up to %s, not %s", number.Setting(most), d)
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
