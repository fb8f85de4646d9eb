package limit

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/vitals"
)

// An Objective is what a target must keep under load: all of its conditions.
type Objective []Condition

// A Condition bounds one figure from above.
type Condition struct {
	Name  string  // p99, max, mean, errors
	Limit float64 // in seconds, or of errors a share from 0 to 1
	text  string
	value func(*load.Counts) float64
}

// String returns the condition as it was written.
func (c Condition) String() string { return c.text }

// String returns the objective as it was written.
func (o Objective) String() string {
	var texts []string
	for _, c := range o {
		texts = append(texts, c.text)
	}
	return strings.Join(texts, ", ")
}

// ParseObjective reads conditions separated by commas: a quantile (p50, p99, p99.9), max or mean below a duration,
// errors below a percentage.
func ParseObjective(text string) (Objective, error) {
	var o Objective
	for part := range strings.SplitSeq(text, ",") {
		c, err := parseCondition(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("%q: %w; want conditions such as: p99 < 50ms, errors < 0.1%%", text, err)
		}
		o = append(o, c)
	}
	return o, nil
}

func parseCondition(text string) (Condition, error) {
	name, limit, ok := strings.Cut(text, "<")
	name, limit = strings.TrimSpace(name), strings.TrimSpace(limit)
	if !ok || limit == "" {
		return Condition{}, fmt.Errorf("%q is not a condition", text)
	}
	c := Condition{Name: name, text: name + " < " + limit}
	if name == "errors" {
		percent, ok := strings.CutSuffix(limit, "%")
		p, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
		if !ok || err != nil || !(p > 0 && p <= 100) {
			return Condition{}, fmt.Errorf("%q is not a percentage above 0 for errors, such as 0.1%%", limit)
		}
		c.Limit = p / 100
		c.value = (*load.Counts).ErrorShare
		return c, nil
	}
	d, err := time.ParseDuration(limit)
	if err != nil || d <= 0 {
		return Condition{}, fmt.Errorf("%q is not a duration for %s, such as 50ms", limit, name)
	}
	c.Limit = d.Seconds()
	c.value, err = latencyOf(name)
	return c, err
}

// latencyOf returns the figure of a latency by its name.
func latencyOf(name string) (func(*load.Counts) float64, error) {
	switch name {
	case "max":
		return func(c *load.Counts) float64 { return c.Latency.Max().Seconds() }, nil
	case "mean":
		return func(c *load.Counts) float64 { return c.Latency.Mean().Seconds() }, nil
	}
	digits, ok := strings.CutPrefix(name, "p")
	percent, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || !(percent > 0 && percent < 100) {
		return nil, fmt.Errorf("%q is none of p50, p99, p99.9 and the like, max, mean and errors", name)
	}
	q := percent / 100
	return func(c *load.Counts) float64 { return c.Latency.Quantile(q).Seconds() }, nil
}

// A Judgement is whether figures keep an objective.
type Judgement struct {
	Values []float64 // of the conditions, in order; NaN for a latency nobody was there to have
	Kept   bool
	Text   string  // what was not kept
	Excess float64 // the largest value over its limit, as a ratio; at most 1 when kept
}

// errNothing is why a step without an answer keeps nothing.
var errNothing = errors.New("there were no answers")

// Judge compares figures with the objective.
func (o Objective) Judge(c *load.Counts) Judgement {
	j := Judgement{Kept: true}
	var broken []string
	for _, cond := range o {
		v := cond.value(c)
		if cond.Name != "errors" && c.Latency.Count() == 0 {
			v = math.NaN()
		}
		j.Values = append(j.Values, v)
		if !(v < cond.Limit) {
			broken = append(broken, cond.Name+" "+cond.Format(v))
		}
		if r := v / cond.Limit; r > j.Excess {
			j.Excess = r
		}
	}
	if c.OK == 0 {
		j.Excess = math.Inf(1)
		broken = append(broken, errNothing.Error())
	}
	j.Kept, j.Text = len(broken) == 0, strings.Join(broken, ", ")
	return j
}

// Format prints a value of the condition's figure.
func (c Condition) Format(v float64) string {
	if c.Name == "errors" {
		return vitals.Share.Format(v)
	}
	return vitals.Seconds.Format(v)
}
