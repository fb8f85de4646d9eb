package tables

import "github.com/gocasebook/casebook/internal/number"

// count is a whole number with commas: "1,000,000".
func count(n int) string { return number.Count(float64(n)) }

// size is bytes on average; less than half a byte comes from what the runtime does meanwhile.
func size(bytes float64) string {
	if bytes < 0.5 {
		return "0 B"
	}
	return number.Bytes(bytes)
}

// amount is a number of things on average; less than a hundredth comes from what the runtime does meanwhile.
func amount(n float64) string {
	if n < 0.01 {
		return "0"
	}
	return number.Digits(n)
}
