package vitals

import (
	"math"

	"github.com/gocasebook/casebook/internal/number"
)

// Format prints a value of the unit for people, with three significant digits at most: "31.2 %", "1.34 GiB", "2.1 ms",
// "1,204". NaN is "–". The unit of another program stands behind the number as it is.
func (u Unit) Format(v float64) string {
	if math.IsNaN(v) {
		return number.Absent
	}
	switch u {
	case Share:
		return number.Share(v)
	case Bytes:
		return number.Bytes(v)
	case BytesPerSecond:
		return number.Bytes(v) + "/s"
	case Seconds:
		return number.Seconds(v)
	case Cores:
		return number.Cores(v)
	case PerSecond:
		return number.Rate(v)
	case Count, "":
		return number.Count(v)
	}
	return number.Count(v) + " " + string(u)
}
