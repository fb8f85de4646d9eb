package gains

import (
	"fmt"
	"io"
	"math"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// A Row is a judgement as data.
type Row struct {
	Name     string  `json:"name"`
	Half     string  `json:"half"`
	CPU      float64 `json:"cpu"`   // the share that the fix saves: the median of the rounds
	Bytes    float64 `json:"bytes"` // of the allocated bytes
	Kind     string  `json:"kind,omitempty"`
	Score    int     `json:"score,omitempty"`
	Resource string  `json:"resource,omitempty"`
	Low      float64 `json:"low,omitempty"` // what the finding promises
	High     float64 `json:"high,omitempty"`
	Verdict  string  `json:"verdict"`
}

// Row is the judgement as data.
func (j Judgement) Row() Row {
	r := Row{Name: j.Pair.Name, Half: j.Pair.Half, CPU: roundTo(j.Truth.CPU()), Bytes: roundTo(j.Truth.Garbage()),
		Verdict: j.Verdict}
	if f := j.Finding; f != nil {
		r.Kind, r.Score, r.Resource = f.Kind, f.Score, f.Impact.Resource
		r.Low, r.High = f.Impact.Gain.Low, f.Impact.Gain.High
	}
	return r
}

// Table writes the judgements of one half as Markdown, a row each.
func Table(w io.Writer, js []Judgement) {
	fmt.Fprintln(w, "| pair | releases | saved, CPU (rounds) | saved, bytes | finding | promised | verdict |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, j := range js {
		fmt.Fprintf(w, "| %s | %s %s → %s | %s | %s | %s | %s | %s |\n", j.Pair.Name, j.Pair.Module, j.Pair.Before,
			j.Pair.After, j.Truth.words(), number.Share(roundTo(j.Truth.Garbage())), j.said(), j.promised(), j.Verdict)
	}
}

// words are the median of the rounds and their range.
func (t Truth) words() string {
	if len(t.Saved) == 0 {
		return number.Absent
	}
	return fmt.Sprintf("%s (%s)", number.Share(roundTo(t.CPU())),
		number.Range(number.Share(roundTo(t.Saved[0])), number.Share(roundTo(t.Saved[len(t.Saved)-1]))))
}

// roundTo gives a point at best: more is not known.
func roundTo(share float64) float64 { return math.Round(100*share) / 100 }

func (j Judgement) said() string {
	if j.Finding == nil {
		return number.Absent
	}
	at := ""
	if len(j.Finding.Where) > 0 {
		at = " at " + words.Function(j.Finding.Where[0].Function)
	}
	return fmt.Sprintf("%d. %s %d%s", j.Place, j.Finding.Kind, j.Finding.Score, at)
}

func (j Judgement) promised() string {
	if j.Finding == nil || j.Finding.Impact.Gain.High == 0 {
		return number.Absent
	}
	return words.Gain(j.Finding.Impact.Gain) + " of " + j.Finding.Impact.Resource
}

// A Count is how many pairs are what.
type Count struct {
	Pairs, Found            int
	Within, TooLow, TooHigh int // of the promises
	Unknown                 int // found, and nothing promised
	Near, Useful            int // the middle of the promise is within 30 %, and within a factor of two
}

// Counted counts judgements.
func Counted(js []Judgement) Count {
	c := Count{Pairs: len(js)}
	of := map[string]*int{Within: &c.Within, TooLow: &c.TooLow, TooHigh: &c.TooHigh, Unknown: &c.Unknown}
	for _, j := range js {
		if n := of[j.Verdict]; n != nil {
			*n++
			c.Found++
		}
		if j.near() {
			c.Near++
		}
		if j.useful() {
			c.Useful++
		}
	}
	return c
}

// String is one line: how many were found, and where the truth lay.
func (c Count) String() string {
	s := fmt.Sprintf("%d of %d found; of %d promises %d within the range, %d too low, %d too high; middle within 30 %% "+
		"of the truth: %d, within a factor of two: %d", c.Found, c.Pairs, c.Found-c.Unknown, c.Within, c.TooLow,
		c.TooHigh, c.Near, c.Useful)
	if c.Unknown > 0 {
		s += fmt.Sprintf("; %d promise nothing", c.Unknown)
	}
	return s
}
