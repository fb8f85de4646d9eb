// Package draw draws the made-up worlds of the lab's services: numbers that look like chance and follow from a key, so
// that every process of a service, and every run, meets the same world.
//
// The limits: nothing here is for secrets, and draws of one key are as good as the keys that are mixed in.
package draw

// Mix spreads the bits of x: the output function of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom
// number generators", 2014), a bijection.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Unit turns a hash into a number between 0 and 1, both left out.
func Unit(h uint64) float64 { return (float64(h>>12) + 0.5) / (1 << 52) }
