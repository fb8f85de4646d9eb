package main

import "math/rand/v2"

// -- searches

type subscriber struct {
	id   uint32
	chat int64
	on   bool
}

type Hub struct{ subs []subscriber }

func (h *Hub) isSubscribed(id uint32) bool {
	for i := 0; i < len(h.subs); i++ {
		if h.subs[i].id == id {
			return h.subs[i].on
		}
	}
	return false
}

func ContainsInt64(haystack []int64, needle int64) bool {
	found := false
	for _, v := range haystack {
		if v == needle {
			found = true
		}
	}
	return found
}

type Product struct {
	Sku   int
	Price float64
	Stock int
}

func priceOf(products []Product, sku int) float64 {
	for _, p := range products {
		if p.Sku == sku {
			return p.Price
		}
	}
	return 0
}

type Grid struct{ walls [][2]int }

func (g Grid) HasWall(x, y int) bool {
	for _, w := range g.walls {
		if w[0] == x && w[1] == y {
			return true
		}
	}
	return false
}

type window struct{ start, end int64 }

func findWindow(ws []window, t int64) int {
	for i := range ws {
		if t < ws[i].start {
			continue
		}
		if t < ws[i].end {
			return i
		}
	}
	return -1
}

func difference(a, b []int) (d []int) {
	for _, x := range a {
		found := false
		for _, y := range b {
			if x == y {
				found = true
				break
			}
		}
		if !found {
			d = append(d, x)
		}
	}
	return
}

func Unique(ids []uint64) []uint64 {
	res := make([]uint64, 0)
next:
	for _, id := range ids {
		for _, r := range res {
			if r == id {
				continue next
			}
		}
		res = append(res, id)
	}
	return res
}

func commonFriends(a, b []int32) int {
	n := 0
	for _, x := range a {
		for _, y := range b {
			if x == y {
				n++
			}
		}
	}
	return n
}

func indexOf[T comparable](s []T, v T) int {
	for i := range s {
		if s[i] == v {
			return i
		}
	}
	return -1
}

// -- others

func inverseSquares(xs []float64) (s float64) {
	for _, x := range xs {
		s += 1 / (x * x)
	}
	return
}

func relax(dist []int, edges [][3]int) bool {
	changed := false
	for _, e := range edges {
		if d := dist[e[0]] + e[2]; d < dist[e[1]] {
			dist[e[1]] = d
			changed = true
		}
	}
	return changed
}

func luhn(s []byte) int {
	sum := 0
	for i := len(s) - 1; i >= 0; i-- {
		d := int(s[i] - '0')
		if i%2 == 0 {
			d *= 2
			if d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum % 10
}

func findRoot(parent []int, i int) int {
	for parent[i] != i {
		parent[i] = parent[parent[i]]
		i = parent[i]
	}
	return i
}

func lookupTable(t *[256]byte, dst, src []byte) {
	for i, b := range src {
		dst[i] = t[b]
	}
}

func inCircle(xs, ys []float64, r float64) int {
	n := 0
	for i := range xs {
		if xs[i]*xs[i]+ys[i]*ys[i] < r*r {
			n++
		}
	}
	return n
}

func hasCollision(xs, ys []float64) bool {
	for i := range xs {
		for j := i + 1; j < len(xs); j++ {
			dx, dy := xs[i]-xs[j], ys[i]-ys[j]
			if dx*dx+dy*dy < 1e-9 {
				return true
			}
		}
	}
	return false
}

func bubble(a []int) {
	for i := range a {
		for j := 0; j < len(a)-1-i; j++ {
			if a[j] > a[j+1] {
				a[j], a[j+1] = a[j+1], a[j]
			}
		}
	}
}

func selectionSort(a []int) {
	for i := range a {
		m := i
		for j := i + 1; j < len(a); j++ {
			if a[j] < a[m] {
				m = j
			}
		}
		a[i], a[m] = a[m], a[i]
	}
}

func indexSub(s, sub []byte) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		j := 0
		for j < len(sub) && s[i+j] == sub[j] {
			j++
		}
		if j == len(sub) {
			return i
		}
	}
	return -1
}

func findPeak(v []float64) int {
	at := 0
	for i := range v {
		if v[i] > v[at] {
			at = i
		}
	}
	return at
}

type skip struct {
	key  int
	next [8]*skip
}

func (s *skip) find(k int) *skip {
	for l := 7; l >= 0; l-- {
		for s.next[l] != nil && s.next[l].key <= k {
			s = s.next[l]
		}
	}
	return s
}

func collatz(n uint64) (steps int) {
	for n != 1 {
		if n&1 == 0 {
			n >>= 1
		} else {
			n = 3*n + 1
		}
		steps++
	}
	return
}

func median3(src, dst []byte) {
	for i := 1; i < len(src)-1; i++ {
		a, b, c := src[i-1], src[i], src[i+1]
		dst[i] = max(min(a, b), min(max(a, b), c))
	}
}

func ewma(v []float64) (a float64) {
	for _, x := range v {
		a = a*0.9 + x*0.1
	}
	return
}

func getVarint(b []byte) (sum uint64) {
	for len(b) > 0 {
		var x uint64
		for s := uint(0); ; s += 7 {
			c := b[0]
			b = b[1:]
			x |= uint64(c&0x7f) << s
			if c < 0x80 {
				break
			}
		}
		sum += x
	}
	return
}

func contains(bits []uint64, want []uint64) bool {
	for i := range want {
		if bits[i]&want[i] != want[i] {
			return false
		}
	}
	return true
}

func fl(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rand.Float64() * 100
	}
	return v
}

func fresh(register func(name string, prepare func() func(i int))) {
	register("search-subscribed", func() func(int) {
		h := &Hub{make([]subscriber, 3000)}
		for i := range h.subs {
			h.subs[i] = subscriber{uint32(i * 5), 1, true}
		}
		return func(i int) {
			if h.isSubscribed(uint32(i % 20000)) {
				sink++
			}
		}
	})
	register("search-noexit", func() func(int) {
		s := make([]int64, 5000)
		for i := range s {
			s[i] = int64(i * 3)
		}
		return func(i int) {
			if ContainsInt64(s, int64(i)) {
				sink++
			}
		}
	})
	register("search-price", func() func(int) {
		p := make([]Product, 2000)
		for i := range p {
			p[i].Sku = i
		}
		return func(i int) { sink += int(priceOf(p, i%2500)) }
	})
	register("search-wall", func() func(int) {
		g := Grid{}
		for range 600 {
			g.walls = append(g.walls, [2]int{rand.IntN(100), rand.IntN(100)})
		}
		return func(i int) {
			if g.HasWall(i%100, i/100%100) {
				sink++
			}
		}
	})
	register("search-window", func() func(int) {
		var ws []window
		for i := range 2000 {
			ws = append(ws, window{int64(i*10 + 5), int64(i*10 + 9)})
		}
		rand.Shuffle(len(ws), func(i, j int) { ws[i], ws[j] = ws[j], ws[i] })
		return func(i int) { sink += findWindow(ws, int64(i*31%20000)) }
	})
	register("match-difference", func() func(int) {
		a, b := make([]int, 600), make([]int, 600)
		for i := range a {
			a[i], b[i] = rand.IntN(2000), rand.IntN(2000)
		}
		return func(int) { sink += len(difference(a, b)) }
	})
	register("match-unique", func() func(int) {
		a := make([]uint64, 1500)
		for i := range a {
			a[i] = rand.Uint64N(3000)
		}
		return func(int) { sink += len(Unique(a)) }
	})
	register("match-friends", func() func(int) {
		a, b := make([]int32, 300), make([]int32, 300)
		for i := range a {
			a[i], b[i] = rand.Int32N(5000), rand.Int32N(5000)
		}
		return func(int) { sink += commonFriends(a, b) }
	})
	register("search-generic", func() func(int) {
		s := make([]uint16, 5000)
		for i := range s {
			s[i] = uint16(i)
		}
		return func(i int) { sink += indexOf(s, uint16(i)) }
	})
	fs, gs := fl(3000), fl(3000)
	register("search-hits", func() func(int) { // two of three are found, after half of the list
		l, w := make(keywordIDs, 100), make([]uint32, 100)
		return func(i int) {
			for k := range l {
				l[k], w[k] = uint32((i*3+k*37)%150), uint32((i*7+k*61)%150)
			}
			for range 20 {
				sink += int(l.of(w))
			}
		}
	})
	register("other-squares", func() func(int) { return func(int) { sink += int(inverseSquares(fs)) } })
	register("other-relax", func() func(int) {
		d, e := make([]int, 1000), make([][3]int, 5000)
		for i := range e {
			e[i] = [3]int{rand.IntN(1000), rand.IntN(1000), rand.IntN(100)}
		}
		return func(int) {
			if relax(d, e) {
				sink++
			}
		}
	})
	digits := make([]byte, 4000)
	for i := range digits {
		digits[i] = '0' + byte(i*7%10)
	}
	register("other-luhn", func() func(int) { return func(int) { sink += luhn(digits) } })
	register("other-findroot", func() func(int) {
		p := make([]int, 1<<16)
		return func(k int) {
			if k%50 == 0 {
				for i := range p {
					p[i] = max(i-1, 0)
				}
			}
			sink += findRoot(p, len(p)-1)
		}
	})
	register("other-lookuptable", func() func(int) {
		var t [256]byte
		dst, src := make([]byte, 1<<16), make([]byte, 1<<16)
		return func(int) { lookupTable(&t, dst, src) }
	})
	register("other-incircle", func() func(int) { return func(int) { sink += inCircle(fs, gs, 50) } })
	register("other-collision", func() func(int) {
		return func(int) {
			if hasCollision(fs, gs) {
				sink++
			}
		}
	})
	register("other-bubble", func() func(int) {
		a := make([]int, 1000)
		return func(int) {
			for i := range a {
				a[i] = rand.Int()
			}
			bubble(a)
		}
	})
	register("other-selection", func() func(int) {
		a := make([]int, 1000)
		return func(int) {
			for i := range a {
				a[i] = rand.Int()
			}
			selectionSort(a)
		}
	})
	register("other-substring", func() func(int) {
		t := prose(1 << 16)
		return func(int) { sink += indexSub(t, []byte("warehouse zebra")) }
	})
	register("other-peak", func() func(int) { return func(int) { sink += findPeak(fs) } })
	register("other-skiplist", func() func(int) {
		head := &skip{key: -1}
		var upd [8]*skip
		for l := range upd {
			upd[l] = head
		}
		for i := range 50000 {
			n := &skip{key: i}
			for l := 0; l == 0 || l < 8 && i%(1<<(l*2)) == 0; l++ {
				upd[l].next[l] = n
				upd[l] = n
			}
		}
		return func(i int) { sink += head.find(i * 7919 % 50000).key }
	})
	register("other-collatz", func() func(int) { return func(i int) { sink += collatz(uint64(i%10000 + 1e9)) } })
	register("other-median", func() func(int) {
		dst, src := make([]byte, 1<<16), prose(1<<16)
		return func(int) { median3(src[:1<<16], dst) }
	})
	register("other-ewma", func() func(int) { return func(int) { sink += int(ewma(fs)) } })
	register("other-varint", func() func(int) {
		b := make([]byte, 1<<14)
		for i := range b {
			if i%3 != 2 {
				b[i] = 0x81
			}
		}
		b[len(b)-1] = 1
		return func(int) { sink += int(getVarint(b)) }
	})
	register("other-bitset", func() func(int) {
		a, b := make([]uint64, 4000), make([]uint64, 4000)
		return func(int) {
			if contains(a, b) {
				sink++
			}
		}
	})
}

func prose(n int) []byte {
	b := make([]byte, 0, n)
	words := []string{"order", "customer", "2026-11-23", "shipped", "EUR", "17.35", "a", "street", "\n", ";", "warehouse"}
	for len(b) < n {
		b = append(b, words[rand.IntN(len(words))]...)
		b = append(b, ' ')
	}
	return b
}
