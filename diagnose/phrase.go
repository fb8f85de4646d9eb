package diagnose

import (
	"math"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// The figures of findings, as everything writes them, under names that are short enough for a sentence.

func percent(share float64) string { return number.Share(share) }

func count[N int | int64 | float64](n N) string { return number.Count(float64(n)) }

func things[N int | int64 | float64](n N, what string) string { return number.Things(n, what) }

func size(bytes float64) string { return number.Bytes(bytes) }

func seconds[T int | float64 | time.Duration](t T) string {
	if d, ok := any(t).(time.Duration); ok {
		return number.Duration(d)
	}
	return number.Seconds(float64(t))
}

// tenths writes a mean of a few with one digit after the point: "2.9".
func tenths(mean float64) string { return number.Digits(math.Round(10*mean) / 10) }

func cores(c float64) string { return number.Cores(c) }

// minutes writes an age in whole minutes, as dumps have it: "1 minute", "12 minutes", "9.5 h".
func minutes(n int64) string {
	if n >= 2*60 {
		return seconds(60 * float64(n))
	}
	return things(float64(n), "minute")
}

func short(name string) string { return words.Function(name) }

func frameText(at casefile.Frame) string { return words.Short(at) }

func roundShare(s float64) float64 { return view.Share(s) }
