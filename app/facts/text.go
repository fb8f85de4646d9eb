package facts

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/internal/words"
	"github.com/gocasebook/casebook/vitals"
)

// A text is the words of a fact while they are written. Whatever number is said through it is a number of the fact.
type text struct {
	b       strings.Builder
	numbers []Number
	governs string // as of a Fact
}

// say adds a sentence, or a part of one. Numbers among the arguments are kept.
func (t *text) say(format string, args ...any) {
	for _, a := range args {
		switch n := a.(type) {
		case Number:
			t.keep(n)
		case counted:
			t.keep(n.Number)
		}
	}
	fmt.Fprintf(&t.b, format, args...)
}

// keep keeps numbers that are not said.
func (t *text) keep(ns ...Number) {
	for _, n := range ns {
		if !math.IsNaN(n.Value) && !math.IsInf(n.Value, 0) {
			t.numbers = append(t.numbers, n)
		}
	}
}

// end ends a sentence.
func (t *text) end() { t.b.WriteByte('.') }

// String is a number in words, with its doubt.
func (n Number) String() string {
	s := inUnit(n.Unit, n.Value)
	if n.Low == 0 && n.High == 0 {
		return s
	}
	return s + " (" + number.Range(inUnit(n.Unit, n.Low), inUnit(n.Unit, n.High)) + ")"
}

func inUnit(unit string, v float64) string {
	switch u := vitals.Unit(unit); {
	case u == vitals.Cores:
		return number.Cores(v)
	case u == vitals.Count && v == math.Trunc(v), !u.Known():
		return number.Count(v)
	default:
		return u.Format(v)
	}
}

func count[N int | int64 | float64](name string, v N) Number {
	return Number{Name: name, Value: math.Round(float64(v)), Unit: string(vitals.Count)}
}

// things is a number of goroutines, requests and the like with their name, of which it is the plural.
func things(n int64, plural string) counted { return counted{count(plural, n), plural} }

// A counted is a number with what it counts.
type counted struct {
	Number
	plural string
}

func (c counted) String() string {
	if c.Value == 1 {
		return "1 " + strings.TrimSuffix(c.plural, "s")
	}
	return c.Number.String() + " " + c.plural
}

func bytesOf(name string, v float64) Number {
	return Number{Name: name, Value: v, Unit: string(vitals.Bytes)}
}

func shareOf(name string, v float64) Number {
	return Number{Name: name, Value: share(v), Unit: string(vitals.Share)}
}

func secondsOf(name string, v float64) Number {
	return Number{Name: name, Value: v, Unit: string(vitals.Seconds)}
}

func coresOf(name string, v float64) Number {
	return Number{Name: name, Value: v, Unit: string(vitals.Cores)}
}

// doubted is a number with its doubt.
func doubted(n Number, by float64) Number {
	if by > 0 && !math.IsInf(by, 0) {
		n.Low, n.High = max(n.Value-by, min(n.Value, 0)), n.Value+by
	}
	return n
}

// How much is kept: the names of generic functions may have kilobytes, remedies have some sentences.
const (
	longestName  = 300 // bytes
	longestProse = 700
)

// clean is a name of the evidence as a fact may say it: one line, bounded, without control characters. prose is that of
// what was written of it.
func clean(s string) string { return cleanTo(s, longestName) }
func prose(s string) string { return cleanTo(s, longestProse) }

func cleanTo(s string, longest int) string {
	if len(s) > longest {
		cut := longest
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return plain.Text(strings.ToValidUTF8(s, "\uFFFD"))
}

// shortName is a function without the path of its package.
func shortName(function string) string { return clean(words.Function(function)) }

func baseName(file string) string { return file[strings.LastIndexAny(file, `/\`)+1:] }

// upper makes the first letter of a fact a capital one.
func upper(t *text) *text {
	s := t.b.String()
	r, n := utf8.DecodeRuneInString(s)
	out := &text{numbers: t.numbers}
	out.b.WriteString(string(unicode.ToUpper(r)) + s[n:])
	return out
}
