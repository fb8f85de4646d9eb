// Package gc_cpu resizes the pictures of a shop that knows some hundred thousand articles.
//
// The fault: each picture takes its memory anew, so that the collector goes over all articles several times a second.
package gc_cpu

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// An article refers to the one before it and to its sales.
type article struct {
	before *article
	sales  *sales
}

// sales are those of each of the last 32 weeks.
type sales [32]int64

// A Studio resizes pictures.
type Studio struct {
	once     sync.Once
	articles int
	last     *article
	pictures int // of a request
	size     int // of a picture in bytes; not a constant, or it would lie on the stack
	pool     *sync.Pool
}

const pictureSize = 24 << 10

func newStudio(articles, pictures int, pooled bool) *Studio {
	s := &Studio{articles: articles, pictures: pictures, size: pictureSize}
	if pooled {
		s.pool = &sync.Pool{New: func() any { b := make([]byte, pictureSize); return &b }}
	}
	return s
}

// load reads the articles, once.
func (s *Studio) load() {
	for i := range s.articles {
		s.last = &article{before: s.last, sales: &sales{int64(i)}}
	}
}

// ServeHTTP answers with the brightness of an article's pictures.
func (s *Studio) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	s.once.Do(s.load)
	resize := s.resize
	if s.pool != nil {
		resize = s.resizePooled
	}
	sum := 0
	for i := range s.pictures {
		sum += resize(int(s.last.sales[0]) + i)
	}
	fmt.Fprint(w, sum)
}

func (s *Studio) resize(seed int) int {
	picture := make([]byte, s.size)
	return brightness(picture, seed)
}

func (s *Studio) resizePooled(seed int) int {
	picture := s.pool.Get().(*[]byte)
	defer s.pool.Put(picture)
	return brightness(*picture, seed)
}

// brightness draws every 64th point and adds them up.
func brightness(picture []byte, seed int) (sum int) {
	for i := 0; i < len(picture); i += 64 {
		picture[i] = byte(i + seed)
		sum += int(picture[i])
	}
	return sum
}

func service(articles, pictures int, pooled bool) faults.Service {
	return faults.Service{Handler: newStudio(articles, pictures, pooled),
		Load: []faults.Call{{Path: "/pictures", PerSecond: 200}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "gc-cpu", Text: "pictures take memory anew beside a live heap of 700,000 objects",
		Culprit:  "gc_cpu.(*Studio).resize",
		Faulty:   func() faults.Service { return service(350_000, 75, false) },
		Repaired: func() faults.Service { return service(350_000, 75, true) },
		Limit:    func() faults.Service { return service(350_000, 60, false) },
		// until the collector has seen all articles twice: heap profiles show its last but one cycle
		Warm: 15 * time.Second,
		// with a processor to spare most marking is done by who has nothing else to do
		Env: []string{"GOMAXPROCS=1"},
	}
}
