package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/settings"
)

// keepFlags are the flags that bound what a folder of cases keeps.
type keepFlags struct {
	bytes byteCount
	age   time.Duration
	cases int
}

func (f *keepFlags) add(flags *pflag.FlagSet) {
	f.addWith(flags, settings.KeepBytes.Default, time.Duration(settings.KeepAge.Default), int(settings.KeepCases.Default))
}

// addNone adds them without limits, for a store.
func (f *keepFlags) addNone(flags *pflag.FlagSet) { f.addWith(flags, -1, -time.Second, -1) }

func (f *keepFlags) addWith(flags *pflag.FlagSet, bytes int64, age time.Duration, cases int) {
	f.bytes = byteCount(bytes)
	flags.Var(&f.bytes, settings.KeepBytes.Flag, settings.KeepBytes.Usage())
	flags.DurationVar(&f.age, settings.KeepAge.Flag, age, settings.KeepAge.Usage())
	flags.IntVar(&f.cases, settings.KeepCases.Flag, cases, settings.KeepCases.Usage())
}

// given reports whether there is a limit.
func (f *keepFlags) given() bool { return f.bytes > 0 || f.age > 0 || f.cases > 0 }

// keepText explains the flags, for the help of the commands that have them.
const keepText = `The oldest cases are removed when there are too many, when they are too old, or
when they take too much disk space. These stay: the first and the worst case of
each rule, the newest case, cases that cannot be read, and cases that are being
written.`

// retention refuses a zero that a person typed, because casefile would treat it as "the default". The error names every
// flag at fault.
func (f *keepFlags) retention() (casefile.Retention, error) {
	keep := casefile.Retention{MaxBytes: int64(f.bytes), MaxAge: f.age, MaxCases: f.cases}
	return keep, errors.Join(settings.KeepBytes.CheckFlag(int64(f.bytes)), settings.KeepAge.CheckFlag(int64(f.age)),
		settings.KeepCases.CheckFlag(int64(f.cases)))
}

// A byteCount is a flag's value in bytes: "1GiB", "500MB", "1048576". It is a pflag.Value.
type byteCount int64

// Set reads a number, which may have a fraction, and a unit. Without a unit it is a number of bytes.
func (b *byteCount) Set(text string) error {
	digits, unit := strings.TrimSpace(text), int64(1)
	for _, u := range number.ByteUnits() {
		if n := len(digits) - len(u.Name); n > 0 && strings.EqualFold(digits[n:], u.Name) {
			digits, unit = strings.TrimSpace(digits[:n]), u.Size
			break
		}
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.IsNaN(v) || math.Abs(v)*float64(unit) >= math.MaxInt64 {
		return fmt.Errorf("want a size such as 1GiB, 500MB or 1048576")
	}
	*b = byteCount(v * float64(unit))
	return nil
}

// String returns the value in the largest unit that leaves no fraction.
func (b *byteCount) String() string { return number.SettingBytes(int64(*b)) }

// Type returns what help calls the value.
func (b *byteCount) Type() string { return "size" }
