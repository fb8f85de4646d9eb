//go:build cgo

package cpu_cgo

// #include <stdint.h>
//
// static int64_t weigh(int32_t size) {
// 	int64_t volume = (int64_t)size * size * size;
// 	return volume / 1000 + (size > 600 ? 250 : 0);
// }
//
// static int64_t weigh_all(const int32_t *sizes, int32_t n) {
// 	int64_t sum = 0;
// 	for (int32_t i = 0; i < n; i++)
// 		sum += weigh(sizes[i]);
// 	return sum;
// }
import "C"

import "unsafe"

// each weighs one parcel at a time, in grams.
func (s *Scale) each() (sum int64) {
	for _, size := range s.sizes {
		sum += int64(C.weigh(C.int32_t(size)))
	}
	return sum
}

// batch weighs all of them at once.
func (s *Scale) batch() int64 {
	return int64(C.weigh_all((*C.int32_t)(unsafe.SliceData(s.sizes)), C.int32_t(len(s.sizes))))
}
