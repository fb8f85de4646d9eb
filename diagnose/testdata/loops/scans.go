package main

import "math/rand/v2"

// ---- looking for one

type ArrayCache struct{ cache []int64 }

func (c *ArrayCache) Has(userId int64) bool {
	for _, innerUserId := range c.cache {
		if innerUserId == userId {
			return true
		}
	}
	return false
}

func (c *ArrayCache) Add(userId int64) { c.cache = append(c.cache, userId) }

func (c *ArrayCache) Delete(userId int64) bool {
	for i, id := range c.cache {
		if id == userId {
			c.cache[i] = c.cache[len(c.cache)-1]
			c.cache[len(c.cache)-1] = 0
			c.cache = c.cache[:len(c.cache)-1]
			return true
		}
	}
	return false
}

func (c *ArrayCache) ApplyItems(items map[int64]int64) {
	for userId, status := range items {
		if c.Has(userId) && status == 6 {
			c.Delete(userId)
		}
		if !c.Has(userId) {
			c.Add(userId)
		}
	}
}

func IsIdInList(id int, idList []int) bool {
	for _, listID := range idList {
		if id == listID {
			return true
		}
	}
	return false
}

type User struct {
	ID    int64
	Name  string
	Roles []string
	Age   int
}

type Store struct{ users []User }

func (s *Store) GetUserByID(id int64) *User {
	for i := range s.users {
		if s.users[i].ID == id {
			return &s.users[i]
		}
	}
	return nil
}

type Order struct {
	Number int64
	Total  int64
	Lines  []string
}

type OrderBook struct{ orders []*Order }

func (b *OrderBook) findOrder(number int64) (*Order, bool) {
	for _, o := range b.orders {
		if o.Number == number {
			return o, true
		}
	}
	return nil, false
}

type ipRange struct {
	from, to uint32
	country  string
}

type geoTable []ipRange

func (g geoTable) lookup(ip uint32) string {
	for _, r := range g {
		if ip >= r.from && ip <= r.to {
			return r.country
		}
	}
	return ""
}

type node struct {
	key  int
	next *node
}

type sessionList struct{ head *node }

func (l *sessionList) contains(key int) bool {
	for n := l.head; n != nil; n = n.next {
		if n.key == key {
			return true
		}
	}
	return false
}

type ban struct {
	account uint64
	until   int64
}

var bans []ban

func isBanned(account uint64, now int64) bool {
	for _, b := range bans {
		if b.account == account && b.until > now {
			return true
		}
	}
	return false
}

// ---- neutral names

type discount struct {
	sku     int
	percent int
}

type item struct{ sku, price int }

func total(items []item, discounts []discount) int {
	sum := 0
	for _, it := range items {
		price := it.price
		for _, d := range discounts {
			if d.sku == it.sku {
				price -= price * d.percent / 100
				break
			}
		}
		sum += price
	}
	return sum
}

func newSlice(a1 []int, a2 []int) []int {
	a3 := make([]int, 0, 3)
	for i := range a1 {
		for j := range a2 {
			if a1[i] == a2[j] {
				a3 = append(a3, a1[i])
			}
		}
	}
	return a3
}

// ---- all with all

func intersect(nums1, nums2 []int) []int {
	var res []int
	for _, a := range nums1 {
		for _, b := range nums2 {
			if a == b {
				res = append(res, a)
				break
			}
		}
	}
	return res
}

func removeDuplicates(in []int32) []int32 {
	var out []int32
	for i := 0; i < len(in); i++ {
		dup := false
		for j := 0; j < len(out); j++ {
			if in[i] == out[j] {
				dup = true
				break
			}
		}
		if !dup {
			out = append(out, in[i])
		}
	}
	return out
}

type keywordIDs []uint32

func (l keywordIDs) of(words []uint32) int64 {
	var n int64
	for _, word := range words {
		for _, wanted := range l {
			if word == wanted {
				n++
				break
			}
		}
	}
	return n
}

func countCommon(a, b []uint32) (n int) {
	for i := range a {
		for j := range b {
			if a[i] == b[j] {
				n++
				break
			}
		}
	}
	return n
}

type booking struct{ room, from, to int }

func hasConflict(all []booking) bool {
	for i := 0; i < len(all); i++ {
		for j := i + 1; j < len(all); j++ {
			if all[i].room == all[j].room && all[i].from < all[j].to && all[j].from < all[i].to {
				return true
			}
		}
	}
	return false
}

func diffIDs(old, new []int64) (added []int64) {
outer:
	for _, n := range new {
		for _, o := range old {
			if o == n {
				continue outer
			}
		}
		added = append(added, n)
	}
	return added
}

func ints(n, from int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = from + i*3
	}
	rand.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func scans(register func(name string, prepare func() func(i int))) {
	register("search-array", func() func(int) {
		c := &ArrayCache{}
		for i := range 12000 {
			c.Add(int64(i) * 7)
		}
		return func(i int) {
			if c.Has(int64(i % 84000)) {
				sink++
			}
		}
	})
	register("search-array-apply", func() func(int) {
		c := &ArrayCache{}
		for i := range 12000 {
			c.Add(int64(i) * 7)
		}
		return func(i int) {
			items := map[int64]int64{}
			for k := range 10 {
				items[int64((i*10+k)*7919%168000)] = int64((i + k) % 2 * 6)
			}
			c.ApplyItems(items)
		}
	})
	register("search-idlist", func() func(int) {
		l := ints(300, 1)
		return func(i int) {
			if IsIdInList(i%1000, l) {
				sink++
			}
		}
	})
	register("search-struct", func() func(int) {
		s := &Store{users: make([]User, 20000)}
		for i := range s.users {
			s.users[i].ID = int64(i)
		}
		return func(i int) {
			if u := s.GetUserByID(int64(i * 31 % 25000)); u != nil {
				sink += u.Age
			}
		}
	})
	register("search-pointers", func() func(int) {
		b := &OrderBook{}
		for i := range 100000 {
			b.orders = append(b.orders, &Order{Number: int64(i)})
		}
		rand.Shuffle(len(b.orders), func(i, j int) { b.orders[i], b.orders[j] = b.orders[j], b.orders[i] })
		return func(i int) {
			if o, ok := b.findOrder(int64(i * 31 % 120000)); ok {
				sink += int(o.Total)
			}
		}
	})
	register("search-ranges", func() func(int) {
		var g geoTable
		for i := range 5000 {
			g = append(g, ipRange{uint32(i * 1000), uint32(i*1000 + 900), "x"})
		}
		return func(i int) { sink += len(g.lookup(uint32(i * 7919 % 5000000))) }
	})
	register("search-linked", func() func(int) {
		l := &sessionList{}
		for i := range 500 {
			l.head = &node{i, l.head}
		}
		return func(i int) {
			if l.contains(i % 600) {
				sink++
			}
		}
	})
	register("search-banned", func() func(int) {
		for i := range 4000 {
			bans = append(bans, ban{uint64(i * 13), 100})
		}
		return func(i int) {
			if isBanned(uint64(i), 50) {
				sink++
			}
		}
	})
	register("open-total", func() func(int) {
		var ds []discount
		for i := range 2000 {
			ds = append(ds, discount{i * 3, 10})
		}
		its := make([]item, 30)
		return func(i int) {
			for k := range its {
				its[k] = item{(i*31 + k) % 9000, 100}
			}
			sink += total(its, ds)
		}
	})
	register("open-newslice", func() func(int) {
		a, b := ints(100, 0), ints(500, 1)
		b[3] = a[3]
		return func(i int) { sink += len(newSlice(a, b)) }
	})
	register("match-intersect", func() func(int) {
		a, b := ints(200, 0), ints(1000, 0)
		b[5]++
		for i := range b {
			if i%3 != 0 {
				b[i]++
			}
		}
		return func(i int) { sink += len(intersect(a, b)) }
	})
	register("match-dedup", func() func(int) {
		in := make([]int32, 2000)
		for i := range in {
			in[i] = rand.Int32N(900)
		}
		return func(i int) { sink += len(removeDuplicates(in)) }
	})
	register("match-of", func() func(int) {
		l, w := make(keywordIDs, 100), make([]uint32, 40)
		return func(i int) {
			for k := range w {
				w[k] = uint32((i*7 + k*131) % 5000)
			}
			for k := range l {
				l[k] = uint32((i*3 + k*17) % 5000)
			}
			for range 200 {
				sink += int(l.of(w))
			}
		}
	})
	register("match-common", func() func(int) {
		a, b := make([]uint32, 40), make([]uint32, 100)
		return func(i int) {
			for k := range a {
				a[k] = uint32((i*7 + k*131) % 5000)
			}
			for k := range b {
				b[k] = uint32((i*3 + k*17) % 5000)
			}
			for range 200 {
				sink += countCommon(a, b)
			}
		}
	})
	register("match-conflict", func() func(int) {
		all := make([]booking, 800)
		for i := range all {
			all[i] = booking{rand.IntN(50), i * 10, i*10 + 5}
		}
		return func(i int) {
			if hasConflict(all) {
				sink++
			}
		}
	})
	register("match-diff", func() func(int) {
		a, b := make([]int64, 3000), make([]int64, 3000)
		for i := range a {
			a[i], b[i] = int64(i*2), int64(i*2)
		}
		b[7] = 11
		return func(i int) { sink += len(diffIDs(a, b)) }
	})
}
