package main

import (
	"math/bits"
	"math/rand/v2"
)

func fnv1a(data []byte) uint32 {
	h := uint32(2166136261)
	for _, b := range data {
		h ^= uint32(b)
		h *= 16777619
	}
	return h
}

func checksum(data []byte) uint32 {
	a, b := uint32(1), uint32(0)
	for _, c := range data {
		a = (a + uint32(c)) % 65521
		b = (b + a) % 65521
	}
	return b<<16 | a
}

type Cart struct{ prices []int64 }

func (c *Cart) sum() (total int64) {
	for _, p := range c.prices {
		total += p
	}
	return total
}

func countActive(users []User) (n int) {
	for i := range users {
		if users[i].Age > 30 {
			n++
		}
	}
	return n
}

func dot(a, b []float32) (s float32) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func findNearest(vs [][]float32, q []float32) int {
	best, at := float32(-1e30), -1
	for i, v := range vs {
		if s := dot(v, q); s > best {
			best, at = s, i
		}
	}
	return at
}

func matmul(a, b, c [][]float64) {
	for i := range a {
		for j := range b[0] {
			sum := 0.0
			for k := range b {
				sum += a[i][k] * b[k][j]
			}
			c[i][j] = sum
		}
	}
}

func boxBlur(src, dst []uint8, w, h int) {
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			s := 0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					s += int(src[(y+dy)*w+x+dx])
				}
			}
			dst[y*w+x] = uint8(s / 9)
		}
	}
}

func toHex(dst, src []byte) {
	const digits = "0123456789abcdef"
	for i, b := range src {
		dst[2*i] = digits[b>>4]
		dst[2*i+1] = digits[b&15]
	}
}

type bitmap []uint64

func (m bitmap) count() (n int) {
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}

func isPrime(n int) bool {
	for d := 3; d*d <= n; d += 2 {
		if n%d == 0 {
			return false
		}
	}
	return true
}

func search(sorted []int, x int) int {
	lo, hi := 0, len(sorted)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if sorted[mid] < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func findIndex(a []int64, x int64) int {
	l, r := 0, len(a)-1
	for l <= r {
		m := (l + r) / 2
		if a[m] == x {
			return m
		}
		if a[m] < x {
			l = m + 1
		} else {
			r = m - 1
		}
	}
	return -1
}

type tree struct {
	key         int
	left, right *tree
}

func (t *tree) insert(k int) *tree {
	if t == nil {
		return &tree{key: k}
	}
	if k < t.key {
		t.left = t.left.insert(k)
	} else {
		t.right = t.right.insert(k)
	}
	return t
}

func (t *tree) contains(k int) bool {
	for t != nil {
		if k == t.key {
			return true
		}
		if k < t.key {
			t = t.left
		} else {
			t = t.right
		}
	}
	return false
}

type table struct {
	keys []uint64
	vals []uint64
	mask uint64
}

func (t *table) lookup(k uint64) (uint64, bool) {
	for i := k * 0x9E3779B97F4A7C15 >> 20 & t.mask; ; i = (i + 1) & t.mask {
		if t.keys[i] == k {
			return t.vals[i], true
		}
		if t.keys[i] == 0 {
			return 0, false
		}
	}
}

type chained struct {
	heads []*node
}

func (t *chained) find(k int) *node {
	for n := t.heads[uint(k)*2654435761%uint(len(t.heads))]; n != nil; n = n.next {
		if n.key == k {
			return n
		}
	}
	return nil
}

func levenshtein(a, b string, row []int) int {
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			prev, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, prev+cost)
		}
	}
	return row[len(b)]
}

func matchLen(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func findMatch(data []byte, pos int) (best, at int) {
	for i := max(0, pos-4096); i < pos; i++ {
		if l := matchLen(data[i:], data[pos:]); l > best {
			best, at = l, i
		}
	}
	return best, at
}

func findNewline(buf []byte) int {
	for i, c := range buf {
		if c == '\n' {
			return i
		}
	}
	return -1
}

func countLines(buf []byte) (n int) {
	for len(buf) > 0 {
		i := findNewline(buf)
		if i < 0 {
			break
		}
		n++
		buf = buf[i+1:]
	}
	return n
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func insertionSort(a []int) {
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && a[j] < a[j-1]; j-- {
			a[j], a[j-1] = a[j-1], a[j]
		}
	}
}

func sieve(composite []bool) {
	for p := 2; p*p < len(composite); p++ {
		if !composite[p] {
			for m := p * p; m < len(composite); m += p {
				composite[m] = true
			}
		}
	}
}

func xorMask(dst []byte, key [4]byte) {
	for i := range dst {
		dst[i] ^= key[i&3]
	}
}

func histogram(pix []uint8, h *[256]int) {
	for _, p := range pix {
		h[p]++
	}
}

func minMax(v []float64) (lo, hi float64) {
	lo, hi = v[0], v[0]
	for _, x := range v {
		if x < lo {
			lo = x
		}
		if x > hi {
			hi = x
		}
	}
	return
}

func runLength(src []byte, out []byte) []byte {
	for i := 0; i < len(src); {
		j := i
		for j < len(src) && j-i < 255 && src[j] == src[i] {
			j++
		}
		out = append(out, byte(j-i), src[i])
		i = j
	}
	return out
}

func Eat() {
	loop := 10000000
	for i := 0; i < loop; i++ {
		// do nothing
	}
}

func parseInts(b []byte) (s int) {
	n := 0
	for _, c := range b {
		if c == ' ' {
			s += n
			n = 0
			continue
		}
		n = n*10 + int(c-'0')
	}
	return s
}

func equalBytes(a, b []byte) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func countWords(s []byte) (n int) {
	in := false
	for _, c := range s {
		if c == ' ' {
			in = false
		} else if !in {
			in = true
			n++
		}
	}
	return n
}

func isSorted(a []int) bool {
	for i := 1; i < len(a); i++ {
		if a[i] < a[i-1] {
			return false
		}
	}
	return true
}

func wildcard(p, s string) bool {
	pi, si, star, mark := 0, 0, -1, 0
	for si < len(s) {
		switch {
		case pi < len(p) && (p[pi] == '?' || p[pi] == s[si]):
			pi++
			si++
		case pi < len(p) && p[pi] == '*':
			star, mark = pi, si
			pi++
		case star >= 0:
			pi = star + 1
			mark++
			si = mark
		default:
			return false
		}
	}
	return pi == len(p)
}

func random(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

func floats(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = rand.Float32()
	}
	return v
}

func others(register func(name string, prepare func() func(i int))) {
	data := random(1 << 16)
	register("other-fnv", func() func(int) { return func(int) { sink += int(fnv1a(data)) } })
	register("other-adler", func() func(int) { return func(int) { sink += int(checksum(data)) } })
	register("other-sum", func() func(int) {
		c := &Cart{make([]int64, 5000)}
		return func(int) { sink += int(c.sum()) }
	})
	register("other-countactive", func() func(int) {
		u := make([]User, 5000)
		for i := range u {
			u[i].Age = rand.IntN(60)
		}
		return func(int) { sink += countActive(u) }
	})
	register("other-nearest", func() func(int) {
		var vs [][]float32
		for range 2000 {
			vs = append(vs, floats(64))
		}
		q := floats(64)
		return func(int) { sink += findNearest(vs, q) }
	})
	register("other-matmul", func() func(int) {
		m := func() [][]float64 {
			x := make([][]float64, 128)
			for i := range x {
				x[i] = make([]float64, 128)
				for j := range x[i] {
					x[i][j] = rand.Float64()
				}
			}
			return x
		}
		a, b, c := m(), m(), m()
		return func(int) { matmul(a, b, c) }
	})
	register("other-blur", func() func(int) {
		dst := make([]byte, len(data))
		return func(int) { boxBlur(data, dst, 256, 256) }
	})
	register("other-hex", func() func(int) {
		dst := make([]byte, 2*len(data))
		return func(int) { toHex(dst, data) }
	})
	register("other-popcount", func() func(int) {
		m := make(bitmap, 4096)
		return func(i int) { m[i%4096] = uint64(i); sink += m.count() }
	})
	register("other-prime", func() func(int) {
		return func(i int) {
			if isPrime(1000000007 + 2*(i%100)) {
				sink++
			}
		}
	})
	register("other-binary", func() func(int) {
		a := make([]int, 1<<20)
		for i := range a {
			a[i] = i * 3
		}
		return func(i int) { sink += search(a, i*7919%(3<<20)) }
	})
	register("other-binary2", func() func(int) {
		a := make([]int64, 10000)
		for i := range a {
			a[i] = int64(i * 3)
		}
		return func(i int) { sink += findIndex(a, int64(i*7919%30000)) }
	})
	register("other-tree", func() func(int) {
		var t *tree
		for range 100000 {
			t = t.insert(rand.IntN(1 << 20))
		}
		return func(i int) {
			if t.contains(i * 7919 % (1 << 20)) {
				sink++
			}
		}
	})
	register("other-probe", func() func(int) {
		t := &table{make([]uint64, 1<<22), make([]uint64, 1<<22), 1<<22 - 1}
		for i := range uint64(2 << 20) {
			k := i*2 + 1
			j := k * 0x9E3779B97F4A7C15 >> 20 & t.mask
			for t.keys[j] != 0 {
				j = (j + 1) & t.mask
			}
			t.keys[j], t.vals[j] = k, i
		}
		return func(i int) {
			v, _ := t.lookup(uint64(i*7919) % (4 << 20))
			sink += int(v)
		}
	})
	register("other-chained", func() func(int) {
		t := &chained{make([]*node, 1<<18)}
		for i := range 1 << 18 {
			h := uint(i) * 2654435761 % uint(len(t.heads))
			t.heads[h] = &node{i, t.heads[h]}
		}
		return func(i int) {
			if t.find(i*7919%(1<<19)) != nil {
				sink++
			}
		}
	})
	register("other-levenshtein", func() func(int) {
		a, b := string(data[:100]), string(data[50:150])
		row := make([]int, 101)
		return func(int) { sink += levenshtein(a, b, row) }
	})
	register("other-lz", func() func(int) {
		return func(i int) { n, _ := findMatch(data, 5000+i%50000); sink += n }
	})
	text := make([]byte, 1<<16)
	for i := range text {
		text[i] = 'a' + byte(i%26)
		if i%100 == 0 {
			text[i] = '\n'
		}
		if i%7 == 0 {
			text[i] = ' '
		}
	}
	register("other-newline", func() func(int) { return func(int) { sink += countLines(text) } })
	register("other-ascii", func() func(int) {
		s := string(text)
		return func(int) {
			if isASCII(s) {
				sink++
			}
		}
	})
	register("other-insertion", func() func(int) {
		a, b := ints(300, 0), make([]int, 300)
		return func(int) { copy(b, a); insertionSort(b) }
	})
	register("other-sieve", func() func(int) {
		c := make([]bool, 1<<16)
		return func(int) { clear(c); sieve(c) }
	})
	register("other-xor", func() func(int) {
		d := make([]byte, 1<<16)
		return func(int) { xorMask(d, [4]byte{1, 2, 3, 4}) }
	})
	register("other-histogram", func() func(int) {
		var h [256]int
		return func(int) { histogram(data, &h) }
	})
	register("other-minmax", func() func(int) {
		v := make([]float64, 10000)
		for i := range v {
			v[i] = rand.Float64()
		}
		return func(int) { lo, hi := minMax(v); sink += int(lo + hi) }
	})
	register("other-rle", func() func(int) {
		d, out := make([]byte, 1<<16), make([]byte, 0, 1<<17)
		return func(int) { sink += len(runLength(d, out)) }
	})
	register("other-eat", func() func(int) { return func(int) { Eat() } })
	register("other-parse", func() func(int) { return func(int) { sink += parseInts(text) } })
	register("other-equal", func() func(int) {
		a, b := make([]byte, 1<<14), make([]byte, 1<<14)
		return func(int) {
			if equalBytes(a, b) {
				sink++
			}
		}
	})
	register("other-words", func() func(int) { return func(int) { sink += countWords(text) } })
	register("other-sorted", func() func(int) {
		a := make([]int, 10000)
		return func(int) {
			if isSorted(a) {
				sink++
			}
		}
	})
	register("other-wildcard", func() func(int) {
		s := string(text[:2000])
		return func(int) {
			if wildcard("*a*b*c*d*e?x*", s) {
				sink++
			}
		}
	})
}
