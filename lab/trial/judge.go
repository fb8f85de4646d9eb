package trial

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// warningScore is the score from which a finding counts as an alarm: casefile's band.
const warningScore = 50

// A Judgement is what a course is worth.
type Judgement struct {
	Name    string        `json:"name"`
	Healthy bool          `json:"healthy,omitempty"`
	Certain time.Duration `json:"certain,omitempty"`
	Early   []Trip        `json:"early,omitempty"` // before the illness began, or of a healthy service
	Trip    *Trip         `json:"trip,omitempty"`  // the first after it began
	OnTime  bool          `json:"on_time"`         // it came within Grace of the certain moment
	Place   bool          `json:"place"`           // its first finding names an expected function
	Remedy  bool          `json:"remedy"`          // and an expected remedy
	First   string        `json:"first"`           // that finding
	Later   string        `json:"later,omitempty"` // what else was right: a later finding or a later case
	Alarms  []string      `json:"alarms,omitempty"`
	Err     string        `json:"error,omitempty"`
}

// OK says that all is as it must be.
func (j *Judgement) OK() bool {
	if j.Err != "" || len(j.Early) > 0 || len(j.Alarms) > 0 {
		return false
	}
	return j.Healthy || j.OnTime && j.Place && j.Remedy
}

// Judge compares what happened with what is expected.
func (s *Service) Judge(c Course) Judgement {
	j := Judgement{Name: s.Name, Healthy: s.Healthy, Certain: time.Duration(s.Certain)}
	if s.Healthy {
		j.Early = c.Trips
		if c.End != nil {
			j.Alarms = alarms(c.End)
		}
		return j
	}
	for _, t := range c.Trips {
		switch {
		case t.At < time.Duration(s.Ill):
			j.Early = append(j.Early, t)
		case j.Trip == nil:
			j.Trip = &t
			j.OnTime = s.onTime(t)
			s.judgeFirst(&j, t.Diagnosis)
		default:
			j.OnTime = j.OnTime || s.onTime(t)
			s.judgeLater(&j, t)
		}
	}
	return j
}

// onTime says whether a trip is one that was wanted, within Grace of the certain moment.
func (s *Service) onTime(t Trip) bool {
	return (s.Rule == "" || t.Rule == s.Rule) && t.At <= time.Duration(s.Certain)+Grace
}

// alarms are the findings of a diagnosis that a healthy service must not have.
func alarms(d *casefile.Diagnosis) []string {
	var all []string
	for _, f := range d.Findings {
		if f.Score >= warningScore {
			all = append(all, describe(f))
		}
	}
	return all
}

// judgeFirst judges the diagnosis of the first case.
func (s *Service) judgeFirst(j *Judgement, d *casefile.Diagnosis) {
	switch {
	case d == nil:
		j.First = "the case was not closed"
		return
	case len(s.Kinds) == 0:
		all := alarms(d)
		j.First = strings.Join(all, "; ")
		j.Place, j.Remedy = len(all) == 0, len(all) == 0
		return
	case len(d.Findings) == 0:
		j.First = "no finding"
		return
	}
	first := d.Findings[0]
	j.First, j.Place, j.Remedy = describe(first), s.blames(first), s.cures(first)
	for i, f := range d.Findings[1:] {
		if s.blames(f) && s.cures(f) {
			j.Later = fmt.Sprintf("finding %d: %s", i+2, describe(f))
			return
		}
	}
}

// judgeLater looks for the right answer in a case that came later.
func (s *Service) judgeLater(j *Judgement, t Trip) {
	if j.Later != "" || t.Diagnosis == nil || t.CaseID == j.Trip.CaseID || len(t.Diagnosis.Findings) == 0 {
		return
	}
	if f := t.Diagnosis.Findings[0]; s.blames(f) && s.cures(f) {
		j.Later = fmt.Sprintf("%v: %s", t, describe(f))
	}
}

// bodies ends the names that the compiler gives to function literals and to bodies of loops over functions.
var bodies = regexp.MustCompile(`(\.func\d+(\.\d+)*|\.gowrap\d+|-range\d+)+$`)

// blames says whether the place to change is one of those expected; none are where the process as a whole is ill. A
// literal stands in its function.
func (s *Service) blames(f casefile.Finding) bool {
	if len(s.Places) == 0 {
		return true
	}
	if len(f.Where) == 0 {
		return false
	}
	name := bodies.ReplaceAllString(strings.TrimSuffix(f.Where[0].Function, "[...]"), "")
	return slices.Contains(s.Places, name) || slices.Contains(s.AlsoPlaces, name)
}

// cures says whether the remedies are what an expert would name: see Service.Kinds.
func (s *Service) cures(f casefile.Finding) bool {
	if !slices.Contains(s.Kinds, f.Kind) || len(f.Remedies) == 0 {
		return false
	}
	says, never := regexp.MustCompile("(?i)"+s.Says), regexp.MustCompile("(?i)"+s.Never)
	if first := f.Remedies[0]; s.Never != "" && never.MatchString(first.Title+". "+first.Text) {
		return false
	}
	return slices.ContainsFunc(f.Remedies[:min(2, len(f.Remedies))], func(r casefile.Remedy) bool {
		return says.MatchString(r.Title + ". " + r.Text)
	})
}

// describe is a finding in a line.
func describe(f casefile.Finding) string {
	text := fmt.Sprintf("%s %d", f.Kind, f.Score)
	if len(f.Where) > 0 {
		w := f.Where[0]
		text += fmt.Sprintf(" at %s (%s:%d)", w.Function, w.File[strings.LastIndexByte(w.File, '/')+1:], w.Line)
	}
	if len(f.Remedies) > 0 {
		text += ": " + f.Remedies[0].Title
	}
	return text
}
