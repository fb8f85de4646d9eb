package rule

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// A fault is what is wrong with one field of a rule.
type fault struct {
	rule  int    // index; -1 for the file itself
	field string // path within the rule: "when.all[1].signal"
	text  string
}

// A faultFunc records a fault of a field.
type faultFunc func(field, format string, args ...any)

// Validate checks rules as the engine needs them. All faults are reported, each with the rule and the field; they are
// joined, so that errors.As finds an Unwrap() []error with one error a fault.
func Validate(rules []Rule) error {
	var errs []error
	for _, f := range validate(rules) {
		errs = append(errs, errors.New(f.describe(rules)))
	}
	return errors.Join(errs...)
}

func (f *fault) describe(rules []Rule) string {
	return fmt.Sprintf("rule %d (%s): %s: %s", f.rule+1, rules[f.rule].Name, f.field, f.text)
}

var nameSyntax = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

func validate(rules []Rule) []fault {
	var faults []fault
	seen := make(map[string]bool)
	for i := range rules {
		validateRule(&rules[i], seen, func(field, format string, args ...any) {
			faults = append(faults, fault{i, field, fmt.Sprintf(format, args...)})
		})
	}
	return faults
}

func validateRule(r *Rule, seen map[string]bool, fault faultFunc) {
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
	if r.Cooldown < 0 {
		fault("cooldown", "is negative (%s)", r.Cooldown)
	}
	validateCondition(&r.When, "when", fault)
}

func validateCondition(c *Condition, path string, fault faultFunc) {
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
		validateParts(c, path, fault)
	default:
		validateTest(c, path, fault)
	}
	if c.For < 0 {
		fault(path+".for", "is negative (%s)", c.For)
	}
}

func validateParts(c *Condition, path string, fault faultFunc) {
	if c.Signal != "" || len(c.tests()) > 0 || c.Min != nil || c.Max != nil || c.Over != 0 {
		fault(path, "has all, any or recovered beside a test of its own; put the test inside")
	}
	part := func(kid *Condition, path string) {
		if kid.Recovered != nil && (c.For > 0 || c.Recovered != nil) {
			fault(path, "is true in one sample only, so nothing around it can hold or end; put its for beside recovered")
		}
		validateCondition(kid, path, fault)
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

// tests names the tests that a condition has.
func (c *Condition) tests() []string {
	var names []string
	for _, t := range [...]struct {
		name string
		has  bool
	}{
		{"above", c.Above != nil}, {"below", c.Below != nil}, {"rise", c.Rise != nil},
		{"trend", c.Trend != nil}, {"periodic", c.Periodic != nil},
	} {
		if t.has {
			names = append(names, t.name)
		}
	}
	return names
}

func validateTest(c *Condition, path string, fault faultFunc) {
	if _, ok := vitals.Lookup(c.Signal); !ok {
		fault(path+".signal", "unknown signal %q; known: %s", c.Signal, knownSignals())
	}
	if tests := c.tests(); len(tests) != 1 {
		text := fmt.Sprintf("wants exactly one of above, below, rise, trend and periodic, has %d", len(tests))
		if len(tests) > 0 {
			text += " (" + strings.Join(tests, ", ") + ")"
		}
		fault(path, "%s", text)
	}
	finite(c.Above, path+".above", fault)
	finite(c.Below, path+".below", fault)
	finite(c.Min, path+".min", fault)
	finite(c.Max, path+".max", fault)
	if finite(c.Rise, path+".rise", fault) && *c.Rise <= 0 {
		fault(path+".rise", "wants a percentage above 0, not %g", *c.Rise)
	}
	if c.Trend != nil {
		validateTrend(c, path+".trend", fault)
	}
	if c.Periodic != nil {
		validatePeriodic(c.Periodic, path+".periodic", fault)
	}
	if c.Over < 0 {
		fault(path+".over", "is negative (%s)", c.Over)
	}
	if c.Over != 0 && c.Rise == nil {
		fault(path+".over", "belongs to rise, which is not set")
	}
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

func knownSignals() string { return strings.Join(vitals.Names(), ", ") }
