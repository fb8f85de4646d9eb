package answer

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// gainRoom is by how much a claimed gain may be above the most that facts allow: their shares are estimated from
// samples.
const gainRoom = 0.05

// gain checks that no more is claimed than the place costs.
func (c *check) gain(context.Context) {
	if c.a.Gain != nil {
		c.claim(*c.a.Gain)
	}
	for _, claim := range claimsIn(c.a.Change) {
		c.claim(claim)
	}
}

func (c *check) claim(claim casefile.Claim) {
	resource := resourceOf(claim.Resource)
	if claim.Low < 0 || claim.High > 1 {
		c.say(casefile.Contradicted, AboutGain, fmt.Sprintf("a gain of %s of %s is more than all of it",
			number.Estimate(claim.Low, claim.High), claim.Resource))
		return
	}
	most, by := c.bound(resource)
	switch {
	case len(by) == 0 && len(c.at) == 0:
		return // the place says so already
	case len(by) == 0:
		c.say(casefile.Unsupported, AboutGain, fmt.Sprintf("no fact at the place says what a change there can "+
			"bring of %s",
			claim.Resource), c.at...)
	case claim.Low > most+gainRoom, claim.High > 2*most+gainRoom:
		c.say(casefile.Contradicted, AboutGain, fmt.Sprintf("%s of %s is claimed, and what %s shows is at most "+
			"%s of it",
			number.Estimate(claim.Low, claim.High), resource, ids(by), number.Share(most)), by...)
	case claim.High > most+gainRoom:
		c.say(casefile.Supported, AboutGain, fmt.Sprintf("the lower end of %s of %s is within what %s shows, "+
			"%s; the upper one is "+
			"above", number.Estimate(claim.Low, claim.High), resource, ids(by), number.Share(most)), by...)
	default:
		c.say(casefile.Supported, AboutGain, fmt.Sprintf("%s of %s is within the %s that %s shows",
			number.Estimate(claim.Low, claim.High), resource, number.Share(most), ids(by)), by...)
	}
}

// bound is the most that a change at the places can bring of a resource: what facts of different lines there bound adds
// up. Where a place has a line that stacks pass, only facts at that line count.
func (c *check) bound(resource string) (most float64, by []*facts.Fact) {
	type line struct {
		sort facts.Sort
		at   facts.Frame
	}
	parts := make(map[line]float64)
	for _, f := range c.atLines() {
		for _, b := range f.Bounds {
			if b.Resource != resource {
				continue
			}
			own, _ := f.Place()
			key := line{f.Sort, facts.Frame{Function: own.Function, Line: own.Line}}
			if f.Sort == facts.Judged { // it is about what the others are about
				key = line{sort: f.Sort}
			}
			parts[key] = max(parts[key], b.High)
			by = append(by, f)
		}
	}
	sums := make(map[facts.Sort]float64)
	for key, part := range parts {
		sums[key.sort] += part
	}
	for _, sum := range sums {
		most = max(most, min(sum, 1))
	}
	return most, by
}

// atLines are the facts at the lines of the places, and those that the answer cites for them. A place of which no stack
// has the line stands for its function.
func (c *check) atLines() (all []*facts.Fact) {
	for _, at := range c.a.Place {
		of := c.factsAt(at)
		if at.Line > 0 && c.lineSeen(at) {
			of = slices.DeleteFunc(of, func(f *facts.Fact) bool {
				return !passes(f, func(x facts.Frame) bool {
					return isAt(at, x) && (x.Line == at.Line || inLiteral(at, x))
				})
			})
		}
		for _, f := range of {
			add(&all, f)
		}
	}
	return all
}

// inLiteral reports whether a frame is in a function literal of the function that a place names: the line that calls it
// costs what the literal does.
func inLiteral(at casefile.At, x facts.Frame) bool {
	return literal.MatchString(x.Function) && !literal.MatchString(at.Function)
}

// lineSeen reports whether a stack of the evidence has the line of a place.
func (c *check) lineSeen(at casefile.At) bool {
	if slices.ContainsFunc(c.factsAt(at), func(f *facts.Fact) bool {
		return passes(f, func(x facts.Frame) bool { return isAt(at, x) && x.Line == at.Line })
	}) {
		return true
	}
	if c.sheet.Seen == nil {
		return false
	}
	if at.Function != "" {
		return c.sheet.Seen.At(at.Function, at.Line).Known
	}
	return c.sheet.Seen.Line(at.File, at.Line).Known
}

// resourceOf is a resource by the name that bounds have.
func resourceOf(said string) string {
	switch said = strings.ToLower(strings.TrimSpace(said)); said {
	case "processor", "cpu time", "cpu_time", "cpu cores":
		return "cpu"
	case "heap", "ram", "rss", "live heap", "allocations", "bytes":
		return "memory"
	case "time", "response time", "wait", "waiting", "p99", "p50", "delay":
		return "latency"
	case "goroutine":
		return "goroutines"
	}
	return said
}

// claimed are the forms of a gain in prose: "cuts CPU by 80 %", "frees 80 % of the memory".
var claimed = [...]struct {
	form            *regexp.Regexp
	share, resource int // which groups
}{
	{regexp.MustCompile(less + `[^.;%]{0,30}?\b` + resources + `\b[^.;%]{0,20}?\bby (?:about |some |up to ` +
		`|~)?` + percent), 2, 1},
	{regexp.MustCompile(less + ` (?:about |some |up to |by |~)*` + percent + ` of (?:the |its ` +
		`|all )?` + resources + `\b`), 1, 2},
}

const (
	less      = `(?i)\b(?:sav\w+|reduc\w+|cuts?|cutting|frees?|lowers?|drops?|shrinks?|removes?)\b`
	percent   = `(\d{1,3}(?:\.\d+)?) ?(?:%|per ?cent)`
	resources = `(cpu|memory|heap|latency|goroutines)`
)

// claimsIn are the gains that a text claims.
func claimsIn(text string) (all []casefile.Claim) {
	for _, c := range claimed {
		for _, m := range c.form.FindAllStringSubmatch(text, 4) {
			if v, err := strconv.ParseFloat(m[c.share], 64); err == nil {
				all = append(all, casefile.Claim{Resource: strings.ToLower(m[c.resource]), Low: v / 100, High: v / 100})
			}
		}
	}
	return all
}
