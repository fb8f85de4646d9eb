package vitals

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Format prints a value of the unit for people, with three significant digits: "31.2 %", "1.34 GiB", "2.1 ms".
func (u Unit) Format(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	switch u {
	case Share:
		return Three(v*100) + " %"
	case Bytes:
		return byteSize(v)
	case BytesPerSecond:
		return byteSize(v) + "/s"
	case Seconds:
		return seconds(v)
	case Cores:
		return Three(v) + " cores"
	case PerSecond:
		return count(v) + "/s"
	}
	return count(v)
}

// Three prints a number with three significant digits and no exponent below a million million.
func Three(v float64) string {
	a := math.Abs(v)
	switch {
	case a == 0:
		return "0"
	case a >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.9995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

func byteSize(v float64) string {
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for math.Abs(v) >= 1023.5 && i < len(units)-1 {
		v /= 1024
		i++
	}
	if i == 0 {
		return strconv.FormatFloat(v, 'f', 0, 64) + " B"
	}
	return Three(v) + " " + units[i]
}

func seconds(v float64) string {
	switch a := math.Abs(v); {
	// a profile may hold the waiting of thousands of goroutines: days, and more than a time.Duration holds
	case a >= 2*86400:
		return Three(v/86400) + " days"
	case a >= 60:
		return time.Duration(v * float64(time.Second)).Round(time.Second).String()
	case math.Abs(v) >= 1:
		return Three(v) + " s"
	case math.Abs(v) >= 1e-3:
		return Three(v*1e3) + " ms"
	}
	return Three(v*1e6) + " µs"
}

func count(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e9:
		return fmt.Sprintf("%s G", Three(v/1e9))
	case a >= 1e6:
		return fmt.Sprintf("%s M", Three(v/1e6))
	case a >= 1e4:
		return fmt.Sprintf("%s k", Three(v/1e3))
	case a == math.Trunc(a):
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return Three(v)
}
