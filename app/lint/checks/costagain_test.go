package checks_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand"
	randv2 "math/rand/v2"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"
)

// BenchmarkCostAgain has the figures of what is made or worked out again: invariantcall, scratchpercall, tablepercall,
// marshalcopy, jsonindent, errorhot and sortslice cite them.
func BenchmarkCostAgain(b *testing.B) {
	for _, c := range againCosts {
		for _, way := range []struct {
			name string
			run  func()
		}{{"reported", c.reported}, {"instead", c.instead}} {
			b.Run(c.name+"/way="+way.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					way.run()
				}
			})
		}
	}
}

// A hit is a result of a search, as services sort them.
type hit struct {
	doc   string
	score float64
	at    time.Time
}

var (
	writers = sync.Pool{New: func() any { return bufio.NewWriter(io.Discard) }}
	names   = keys[:100]
	wanted  = "User-MISSING"
	errNone = errors.New("no entry")
	levels  = func() map[string]int {
		m := make(map[string]int)
		for i, k := range keys[:20] {
			m[k] = i
		}
		return m
	}()
	envelope = func() any {
		var v any
		json.Unmarshal(document, &v)
		return slices.Repeat([]any{v}, 16)
	}()
	hits = func() (out []hit) {
		r := randv2.New(randv2.NewPCG(1, 2))
		for _, k := range keys {
			out = append(out, hit{doc: k, score: r.Float64(), at: time.Now()})
		}
		return out
	}()
	sorted = make([]hit, len(hits))
)

var againCosts = []cost{
	{"invariant", func() {
		for _, n := range names {
			same = strings.Contains(strings.ToLower(n), strings.ToLower(wanted))
		}
	}, func() {
		want := strings.ToLower(wanted)
		for _, n := range names {
			same = strings.Contains(strings.ToLower(n), want)
		}
	}},
	{"scratch", func() { xml.NewEncoder(io.Discard).Encode(orders[0]) }, func() {
		w := writers.Get().(*bufio.Writer)
		w.Reset(io.Discard)
		xml.NewEncoder(w).Encode(orders[0])
		w.Flush()
		writers.Put(w)
	}},
	{"scratch=rand", func() { length = rand.New(rand.NewSource(int64(length))).Intn(100) },
		func() { length = randv2.IntN(100) }},
	{"table", func() {
		length = map[string]int{"user-0": 0, "user-1": 1, "user-2": 2, "user-3": 3, "user-4": 4, "user-5": 5, "user-6": 6,
			"user-7": 7, "user-8": 8, "user-9": 9, "user-10": 10, "user-11": 11, "user-12": 12, "user-13": 13, "user-14": 14,
			"user-15": 15, "user-16": 16, "user-17": 17, "user-18": 18, "user-19": 19}[user]
	}, func() { length = levels[user] }},
	{"marshal", func() { text, _ := json.Marshal(envelope); io.Discard.Write(text) },
		func() { json.NewEncoder(io.Discard).Encode(envelope) }},
	{"indent", func() { text, _ := json.MarshalIndent(envelope, "", "  "); length = len(text) },
		func() { text, _ := json.Marshal(envelope); length = len(text) }},
	{"error", func() { sink = fmt.Errorf("no entry for %q", user) }, func() { sink = errNone }},
	{"sort", func() {
		copy(sorted, hits)
		sort.Slice(sorted, func(i, j int) bool { return sorted[i].score > sorted[j].score })
	}, func() {
		copy(sorted, hits)
		slices.SortFunc(sorted, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	}},
}
