package report

import (
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/stat"
	"github.com/gocasebook/casebook/vitals"
)

// maxPoints bounds the points of a chart: ten minutes at one a second fit whole, and twice what a screen can show.
const maxPoints = 1200

// downsampled reduces samples to at most maxPoints. Each run of per samples becomes two: one has the lowest and one the
// highest value of every signal, in the order in which they came, so that no spike is lost. per is 1 when nothing was
// left out.
func downsampled(samples []vitals.Sample) (out []vitals.Sample, per int) {
	if len(samples) <= maxPoints {
		return samples, 1
	}
	per = (2*len(samples) + maxPoints - 1) / maxPoints
	for run := range slices.Chunk(samples, per) {
		a, b := extremes(run)
		out = append(out, a)
		if len(run) > 1 {
			out = append(out, b)
		}
	}
	return out, per
}

// extremes returns two samples, at the start and the middle of a run, with the extremes of every signal.
func extremes(run []vitals.Sample) (a, b vitals.Sample) {
	a, b = vitals.NewSample(run[0].Time), vitals.NewSample(run[len(run)/2].Time)
	for id := range vitals.ID(vitals.NumSignals + vitals.MaxExtra) {
		low, high := -1, -1
		for i := range run {
			v, ok := run[i].Get(id)
			if !ok {
				continue
			}
			if low < 0 || v < run[low].Values[id] {
				low = i
			}
			if high < 0 || v > run[high].Values[id] {
				high = i
			}
		}
		if low >= 0 {
			a.Set(id, run[min(low, high)].Values[id])
			b.Set(id, run[max(low, high)].Values[id])
		}
	}
	return a, b
}

// A vitalRow is one signal in numbers.
type vitalRow struct {
	vitals.Signal
	Before  string // median of the samples before the trigger
	AtTrip  string // the last sample not after the trigger
	Lowest  string
	Highest string
}

func vitalRows(samples []vitals.Sample, p presence, zero time.Time) []vitalRow {
	var rows []vitalRow
	for id, signal := range p.signals {
		if p.has(vitals.ID(id)) {
			rows = append(rows, vitalRowOf(signal, vitals.ID(id), samples, zero))
		}
	}
	return rows
}

func vitalRowOf(signal vitals.Signal, id vitals.ID, samples []vitals.Sample, zero time.Time) vitalRow {
	var before []float64
	low, high, trip := math.Inf(1), math.Inf(-1), math.NaN()
	for i := range samples {
		v, ok := samples[i].Get(id)
		if !ok {
			continue
		}
		low, high = min(low, v), max(high, v)
		if samples[i].Time.Before(zero) {
			before = append(before, v)
		}
		if !samples[i].Time.After(zero) {
			trip = v
		}
	}
	u := signal.Unit
	return vitalRow{
		Signal:  signal,
		Before:  quantity(stat.Median(before), u),
		AtTrip:  quantity(trip, u),
		Lowest:  quantity(low, u),
		Highest: quantity(high, u),
	}
}
