//go:build !cgo

package cpu_cgo

// Without a C compiler the package still builds and answers the same. The fault is not in it then: evidence is recorded
// with cgo.

func (s *Scale) each() (sum int64) {
	for _, size := range s.sizes {
		sum += int64(size) * int64(size) * int64(size) / 1000
		if size > 600 {
			sum += 250
		}
	}
	return sum
}

func (s *Scale) batch() int64 { return s.each() }
