package room

import (
	"io"
	"math"
	"os"
	"runtime/debug"
	"sync"

	"github.com/gocasebook/casebook/internal/cgroup"
)

// Shares of the memory limit. In 128 MiB the program itself, with its connections and histories, takes about 45 MiB,
// and the collector wants as much again as what is read. What detectors make of what was parsed, and the next answer
// that is read meanwhile, come on top: with an eighth for parsing a watch of hostile targets took 110 to 115 MiB, and
// in one of three rounds of them all more than 128; with a twelfth it takes 104.
const (
	answersShare = 8
	parsingShare = 12

	maxAnswers = 512 << 20 // bytes: one of eleven targets can send a trace of the largest size that is kept
	minAnswers = 4 << 20
	maxParsing = 1 << 30 // bytes: two profiles of a million stacks of 50 frames
	minParsing = 8 << 20
)

// Limit is how many bytes of memory this process may have: the smaller of GOMEMLIMIT and the limit of its cgroup; 0 for
// no limit.
func Limit() int64 {
	limit := Cgroup()
	if own := debug.SetMemoryLimit(-1); own < math.MaxInt64 && (limit == 0 || own < limit) {
		limit = own
	}
	return limit
}

// Cgroup is the memory limit of the process's cgroup in bytes, 0 for none. It is read once.
var Cgroup = sync.OnceValue(func() int64 {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0 // not Linux
	}
	return int64(cgroup.Find("/sys/fs/cgroup", string(groups)).MemoryLimit())
})

// Parsing is how many bytes the evidence that is being read may take at a time, in the form that it is judged in.
func Parsing() int64 { return share(parsingShare, minParsing, maxParsing) }

// share is a part of the memory limit within bounds.
func share(part, least, most int64) int64 {
	limit := Limit()
	if limit == 0 {
		return most
	}
	return min(max(limit/part, least), most)
}

// Buffers are for answers of one sort that are read and not kept: a watch of a thousand targets reads hundreds a
// second, small ones and some of 100 KB. The zero value is ready.
type Buffers struct{ pool sync.Pool }

// maxPooled is the largest buffer that is used again.
const maxPooled = 1 << 20

// Use reads to the end, at most limit bytes, and hands them to use, which must not keep them: the next answer is read
// into the same memory. They take room meanwhile. The error is use's, or one of those of ReadAll.
func (p *Party) Use(from *Buffers, r io.Reader, limit int64, use func([]byte) error) error {
	buf, had := from.pool.Get().(*[]byte)
	if !had {
		buf = new([]byte)
	}
	c := chunks{account: p.account}
	defer func() { c.drop() }()
	if size := int64(cap(*buf)); p.take(size) { // otherwise as much as is needed is less
		c.last, c.taken = (*buf)[:0], size
	}
	if err := c.read(r, limit); err != nil {
		return err
	}
	data, err := c.joinWide()
	if err != nil {
		return err
	}
	err = use(data)
	if cap(data) <= maxPooled {
		*buf = data[:0]
		from.pool.Put(buf)
	}
	return err
}

// joinWide makes one piece of all, with room for a somewhat larger answer the next time.
func (c *chunks) joinWide() ([]byte, error) {
	if len(c.full) == 0 {
		return c.last, nil
	}
	size := c.size + c.size/4
	if !c.account.take(size) {
		return nil, &FullError{Read: c.size, Size: c.account.pool.size}
	}
	data := make([]byte, 0, size)
	for _, piece := range append(c.full, c.last) {
		data = append(data, piece...)
	}
	c.drop()
	c.taken = size
	return data, nil
}
