package worker

import (
	"fmt"
	"io"
	"strconv"

	"github.com/gocasebook/casebook/app/lab/worker/event"
)

// counts are how often something was seen in the batches of one write, for the dashboards: a line of key, tab and number for
// each key. A reader adds up the lines of a key.
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

// minute is the time that counts are kept by.
func minute(e *event.Event) int64 { return e.AtMs / 60_000 }

// printedKeys makes keys with package fmt.
type printedKeys struct{}

func (printedKeys) count(seen map[string]*int, e *event.Event) {
	kind, at := kindName(e.Kind), minute(e)
	bump(seen, fmt.Sprintf("region:%s:%s:%d", e.Region, kind, at))
	bump(seen, fmt.Sprintf("platform:%s:%s:%d", e.Platform, kind, at))
	bump(seen, fmt.Sprintf("region-platform:%s:%s:%s:%d", e.Region, e.Platform, kind, at))
	for _, p := range e.Params {
		bump(seen, fmt.Sprintf("param:%s=%s:%s:%d", p.Key, p.Value, kind, at))
	}
	if e.Category == "" {
		return
	}
	bump(seen, fmt.Sprintf("position:%d:%s:%d", e.Position, kind, at))
	bump(seen, fmt.Sprintf("category:%s:%s:%d", e.Category, kind, at))
	bump(seen, fmt.Sprintf("category-platform:%s:%s:%s:%d", e.Category, e.Platform, kind, at))
	bump(seen, fmt.Sprintf("category-region:%s:%s:%s:%d", e.Category, e.Region, kind, at))
	bump(seen, fmt.Sprintf("seller:%d:%s:%d", e.Seller%sellerGroups, kind, at))
}

// appendedKeys makes keys in a buffer that is kept; only a key that is new becomes a string of its own.
type appendedKeys struct{ buf []byte }

func (k *appendedKeys) count(seen map[string]*int, e *event.Event) {
	kind, at := kindName(e.Kind), minute(e)
	k.add(seen, k.join("region:", e.Region, ""), kind, at)
	k.add(seen, k.join("platform:", e.Platform, ""), kind, at)
	k.add(seen, k.join("region-platform:", e.Region, e.Platform), kind, at)
	for _, p := range e.Params {
		k.add(seen, append(append(k.join("param:", p.Key, ""), '='), p.Value...), kind, at)
	}
	if e.Category == "" {
		return
	}
	k.add(seen, strconv.AppendUint(k.join("position:", "", ""), uint64(e.Position), 10), kind, at)
	k.add(seen, k.join("category:", e.Category, ""), kind, at)
	k.add(seen, k.join("category-platform:", e.Category, e.Platform), kind, at)
	k.add(seen, k.join("category-region:", e.Category, e.Region), kind, at)
	k.add(seen, strconv.AppendUint(k.join("seller:", "", ""), e.Seller%sellerGroups, 10), kind, at)
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
func (k *appendedKeys) add(seen map[string]*int, start []byte, kind string, at int64) {
	key := append(append(start, ':'), kind...)
	key = strconv.AppendInt(append(key, ':'), at, 10)
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
