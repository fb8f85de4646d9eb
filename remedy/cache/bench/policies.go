package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// A policy is an eviction policy alone, without a cache around it: access says whether a key was there, and adds it if
// not.
type policy interface {
	access(key uint32) bool
}

// policiesPart compares policies on the traces. It is why S3-FIFO with a choice of modes was chosen: no fixed setting
// is good on all, and S3-FIFO needs no write at a Get of a popular key, and no links.
func policiesPart(out io.Writer) {
	policies := []struct {
		name string
		make func(room int) policy
	}{
		{"LRU", func(room int) policy { return newSegmentedLRU(room, 0) }},
		{"W-TinyLFU, window 1 %", func(room int) policy { return newTinyLFU(room, 10) }},
		{"W-TinyLFU, window 20 %", func(room int) policy { return newTinyLFU(room, 200) }},
		{"S3-FIFO, small 10 % (the paper's)", func(room int) policy {
			return newS3(room,
				s3{share: 100, ghosts: true})
		}},
		{"S3-FIFO, small 1 %", func(room int) policy { return newS3(room, byFrequency) }},
		{"S3-FIFO, small 70 %", func(room int) policy { return newS3(room, byRecency) }},
		{"S3-FIFO, small 0.1 %, no ghosts", func(room int) policy { return newS3(room, asItIs) }},
		{"the last three, chosen by miniatures", func(room int) policy { return newChooser(room) }},
	}
	fmt.Fprintf(out, "Policies: hit ratio, %%, %d requests, room for %d\n", traceLength, traceRoom)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	var all []trace
	var names []string
	for _, t := range traces() {
		all = append(all, t())
		names = append(names, all[len(all)-1].name)
	}
	fmt.Fprintln(w, strings.Join(names, "\t")+"\t  policy\t")
	for _, p := range policies {
		for _, t := range all {
			policy, hits := p.make(t.room), 0
			for _, k := range t.keys {
				if policy.access(k) {
					hits++
				}
			}
			fmt.Fprintf(w, "%.1f\t", 100*float64(hits)/float64(len(t.keys)))
		}
		fmt.Fprintf(w, "  %s\t\n", p.name)
	}
	_ = w.Flush() // errors of out are for its owner
}

// The modes of package cache (evict.go).
var (
	byFrequency = s3{share: 10, ghosts: true}
	byRecency   = s3{share: 700, ghosts: true}
	asItIs      = s3{share: 1}
)

// s3 is S3-FIFO (Yang et al., SOSP 2023) with a small queue of share/1000 of the capacity, from which one use is enough
// for the main queue.
type s3 struct {
	share  int
	ghosts bool

	room              int
	small, main, past []uint32
	state             map[uint32]s3State
}

type s3State struct {
	ghost bool
	freq  uint8
}

func newS3(room int, p s3) *s3 {
	p.room, p.state = room, make(map[uint32]s3State)
	return &p
}

func (p *s3) access(key uint32) bool {
	s, known := p.state[key]
	if known && !s.ghost {
		p.state[key] = s3State{freq: min(s.freq+1, 3)}
		return true
	}
	p.state[key] = s3State{}
	if known && p.ghosts {
		p.main = append(p.main, key)
	} else {
		p.small = append(p.small, key)
	}
	for len(p.small)+len(p.main) > p.room {
		p.evict(max(p.room*p.share/1000, 1))
	}
	return false
}

func (p *s3) evict(target int) {
	if len(p.small) <= target {
		key := pop(&p.main)
		if s := p.state[key]; s.freq > 0 {
			p.state[key] = s3State{freq: s.freq - 1}
			p.main = append(p.main, key)
		} else {
			delete(p.state, key)
		}
		return
	}
	key := pop(&p.small)
	if p.state[key].freq > 0 || len(p.main)+target < p.room {
		p.state[key] = s3State{}
		p.main = append(p.main, key)
		return
	}
	if len(p.past) == p.room {
		if old := pop(&p.past); p.state[old].ghost {
			delete(p.state, old)
		}
	}
	p.state[key] = s3State{ghost: true}
	p.past = append(p.past, key)
}

func pop(queue *[]uint32) uint32 {
	key := (*queue)[0]
	*queue = (*queue)[1:]
	return key
}

// A chooser plays three settings on one key in 64, and follows the best: package cache's tuner.
type chooser struct {
	real   *s3
	minis  [3]*s3
	scores [3]float64
	weight float64
	asked  int
	now    int
}

const chooserRate = 64

func newChooser(room int) *chooser {
	c := &chooser{real: newS3(room, byFrequency)}
	for i, p := range []s3{byFrequency, byRecency, asItIs} {
		c.minis[i] = newS3(room/chooserRate, p)
	}
	return c
}

func (c *chooser) access(key uint32) bool {
	if spread(key)%chooserRate == 0 {
		for i, m := range c.minis {
			if m.access(key) {
				c.scores[i]++
			}
		}
		if c.asked++; c.asked == c.minis[0].room {
			c.choose()
		}
	}
	return c.real.access(key)
}

func (c *chooser) choose() {
	best := c.now
	for i, score := range c.scores {
		if score > c.scores[best] {
			best = i
		}
	}
	c.weight += float64(c.asked)
	if c.scores[best] > c.scores[c.now]+0.01*c.weight {
		c.now = best
		c.real.share, c.real.ghosts = c.minis[best].share, c.minis[best].ghosts
	}
	for i := range c.scores {
		c.scores[i] *= 0.95
	}
	c.weight *= 0.95
	c.asked = 0
}

// spread is a hash of 32 bits (the finalizer of MurmurHash3).
func spread(x uint32) uint32 {
	x ^= x >> 16
	x *= 0x85ebca6b
	x ^= x >> 13
	x *= 0xc2b2ae35
	return x ^ x>>16
}
