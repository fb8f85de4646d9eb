// Package hot has functions that take CPU, as far as a test says so.
package hot

import "sync"

var mu sync.Mutex

// Small is inlined.
func Small(a, b int) int { return a*b + 1 }

// Over costs a little more than the budget.
func Over(a []int, n int) int {
	sum := 0
	for i := range a {
		if a[i] > n {
			sum += a[i]*n + i
		} else if a[i] < -n {
			sum -= a[i]*n - i
		}
		sum ^= a[i]*n + Small(a[i], n)*Small(i, n)
		sum += (i%3 + n) * (i%5 - n)
	}
	return sum
}

// Recovers calls recover.
func Recovers(f func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	f()
	return
}

// Locked defers.
func Locked(m map[int]int, k int) int {
	mu.Lock()
	defer mu.Unlock()
	return m[k]
}

// Fib calls itself.
func Fib(n int) int {
	if n < 2 {
		return n
	}
	return Fib(n-1) + Fib(n-2)
}

// Kept is marked.
//
//go:noinline
func Kept(n int) int { return n + 1 }

// Sum counts to n, of which the compiler does not know that it is the length.
func Sum(a []int, n int) (sum int) {
	for i := 0; i < n; i++ {
		sum |= a[i]
	}
	return sum
}

// Mixed has an index that only the program knows.
func Mixed(a, by []int) (sum int) {
	for _, k := range by {
		sum += a[k*7]
	}
	return sum
}

// Four has indices that are constants.
func Four(rows [][]byte) (sum int) {
	for _, r := range rows {
		sum += int(r[3])
	}
	return sum
}

// Ranged needs no check.
func Ranged(a []int) (sum int) {
	for i := range a {
		sum += a[i]
	}
	return sum
}

// Once is in no loop.
func Once(a []int, n int) int {
	return a[n]
}
