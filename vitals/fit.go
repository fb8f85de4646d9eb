package vitals

import "time"

// FitLine is the Line through values at times, which are in seconds and ascend; both have the same length. It is for
// values that are no samples, such as the lows of stretches of time, and allocates nothing.
func FitLine(times, values []float64) Line {
	n := len(values)
	l := Line{N: n}
	if n < 3 {
		return l
	}
	// Times are relative to the last one and values to its value, which keeps the sums small.
	last, end := times[n-1], values[n-1]
	l.Span = time.Duration((last - times[0]) * float64(time.Second))
	var st, sv, stt, stv, svv float64
	for i := range values {
		t, v := times[i]-last, values[i]-end
		st, sv, stt, stv, svv = st+t, sv+v, stt+t*t, stv+t*v, svv+v*v
	}
	count := float64(n)
	if stt -= st * st / count; stt <= 0 {
		return l
	}
	l.Slope = (stv - st*sv/count) / stt
	level := (sv - l.Slope*st) / count
	l.Level = end + level
	var sse, lagged, before float64
	for i := range values {
		e := values[i] - end - level - l.Slope*(times[i]-last)
		sse += e * e
		lagged += e * before
		before = e
	}
	l.doubt(sse, lagged, svv, stt)
	return l
}
