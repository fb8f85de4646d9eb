package worker

import (
	"fmt"
	"io"
	"strconv"

	"github.com/gocasebook/casebook/lab/worker/event"
)

// counts are how often something was seen in the batches of one write, for the dashboards: a line of key, tab and
// number for each key. A reader adds up the lines of a key.
type counts struct {
	items catalogue
	keys  keyFormat
	seen  map[string]*int
}

// A keyFormat counts an event under its keys.
type keyFormat interface {
	count(seen map[string]*int, e *event.Event)
}

func (c *counts) write(w io.Writer, batches []*event.Batch) error {
	clear(c.seen)
	for _, b := range batches {
		c.items.complete(b)
		for _, e := range b.Events {
			c.keys.count(c.seen, e)
		}
	}
	var line []byte
	for key, n := range c.seen {
		line = append(append(line[:0], key...), '\t')
		line = append(strconv.AppendInt(line, int64(*n), 10), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// A period is the minute or the hour of an event: dashboards look at both.
type period struct {
	unit   byte // m or h
	number int64
}

func periods(e *event.Event) [2]period {
	return [2]period{{'m', e.AtMs / 60_000}, {'h', e.AtMs / 3_600_000}}
}

// printedKeys makes keys with package fmt.
type printedKeys struct{}

func (printedKeys) count(seen map[string]*int, e *event.Event) {
	for _, at := range periods(e) {
		when := fmt.Sprintf("%s:%c%d", kindName(e.Kind), at.unit, at.number)
		bump(seen, fmt.Sprintf("region:%s:%s", e.Region, when))
		bump(seen, fmt.Sprintf("platform:%s:%s", e.Platform, when))
		bump(seen, fmt.Sprintf("region-platform:%s:%s:%s", e.Region, e.Platform, when))
		for _, p := range e.Params {
			bump(seen, fmt.Sprintf("param:%s=%s:%s", p.Key, p.Value, when))
		}
		if e.Category == "" {
			continue
		}
		bump(seen, fmt.Sprintf("position:%d:%s", e.Position, when))
		bump(seen, fmt.Sprintf("category:%s:%s", e.Category, when))
		bump(seen, fmt.Sprintf("category-platform:%s:%s:%s", e.Category, e.Platform, when))
		bump(seen, fmt.Sprintf("category-region:%s:%s:%s", e.Category, e.Region, when))
		bump(seen, fmt.Sprintf("seller:%d:%s", e.Seller%sellerGroups, when))
	}
}

// appendedKeys makes keys in a buffer that is kept; only a key that is new becomes a string of its own.
type appendedKeys struct {
	buf  []byte
	when []byte // of the period that is being counted
}

func (k *appendedKeys) count(seen map[string]*int, e *event.Event) {
	for _, at := range periods(e) {
		k.when = append(append(k.when[:0], kindName(e.Kind)...), ':', at.unit)
		k.when = strconv.AppendInt(k.when, at.number, 10)
		k.add(seen, k.join("region:", e.Region, ""))
		k.add(seen, k.join("platform:", e.Platform, ""))
		k.add(seen, k.join("region-platform:", e.Region, e.Platform))
		for _, p := range e.Params {
			k.add(seen, append(append(k.join("param:", p.Key, ""), '='), p.Value...))
		}
		if e.Category == "" {
			continue
		}
		k.add(seen, strconv.AppendUint(k.join("position:", "", ""), uint64(e.Position), 10))
		k.add(seen, k.join("category:", e.Category, ""))
		k.add(seen, k.join("category-platform:", e.Category, e.Platform))
		k.add(seen, k.join("category-region:", e.Category, e.Region))
		k.add(seen, strconv.AppendUint(k.join("seller:", "", ""), e.Seller%sellerGroups, 10))
	}
}

// sellerGroups is how many groups of sellers are counted: a dashboard of a million would be of no use.
const sellerGroups = 1000

// join begins a key in the buffer, with a colon between a and b where there is a b.
func (k *appendedKeys) join(name, a, b string) []byte {
	key := append(append(k.buf[:0], name...), a...)
	if b != "" {
		key = append(append(key, ':'), b...)
	}
	return key
}

// add counts the key that begins with start.
func (k *appendedKeys) add(seen map[string]*int, start []byte) {
	key := append(append(start, ':'), k.when...)
	k.buf = key
	if n := seen[string(key)]; n != nil { // the compiler makes no string of it
		*n++
		return
	}
	bump(seen, string(key))
}

func bump(seen map[string]*int, key string) {
	if n := seen[key]; n != nil {
		*n++
		return
	}
	n := 1
	seen[key] = &n
}
