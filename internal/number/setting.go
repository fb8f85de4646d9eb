package number

import (
	"strconv"
	"strings"
	"time"
)

// Setting is a duration as it is set, in flags and files, without the zeros that time.Duration appends: "1m", not
// "1m0s".
func Setting(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// A ByteUnit is a unit of sizes in settings.
type ByteUnit struct {
	Name string
	Size int64
}

// ByteUnits has the powers of 1024, as GOMEMLIMIT writes them, and the powers of 1000, the larger ones first.
func ByteUnits() []ByteUnit {
	return []ByteUnit{
		{"TiB", 1 << 40}, {"TB", 1e12}, {"GiB", 1 << 30}, {"GB", 1e9}, {"MiB", 1 << 20}, {"MB", 1e6}, {"KiB", 1 << 10},
		{"KB", 1e3}, {"B", 1},
	}
}

// SettingBytes is a size as it is set: "1GiB", in the largest unit that leaves no fraction.
func SettingBytes(n int64) string {
	for _, u := range ByteUnits() {
		if n != 0 && n%u.Size == 0 {
			return strconv.FormatInt(n/u.Size, 10) + u.Name
		}
	}
	return "0"
}
