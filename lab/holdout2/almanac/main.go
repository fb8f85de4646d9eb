// Almanac answers which words of a large collection begin with some letters.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"sort"
	"strings"
	"sync"
	"time"
)

type posting struct {
	word string
	docs []int32
}

type index struct {
	once     sync.Once
	docs     int
	postings []posting
}

const syllables = "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu"

// text stands for a file of the collection.
func text(doc int) string {
	r, s := rand.New(rand.NewPCG(1, uint64(doc))), strings.Fields(syllables)
	var b strings.Builder
	for range 120 {
		for range 2 + r.IntN(3) {
			b.WriteString(s[r.IntN(len(s))])
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// build reads the whole collection.
func (x *index) build() {
	docs := make(map[string][]int32)
	for d := range x.docs {
		for _, w := range strings.Fields(text(d)) {
			docs[w] = append(docs[w], int32(d))
		}
	}
	for w, d := range docs {
		x.postings = append(x.postings, posting{w, d})
	}
	sort.Slice(x.postings, func(i, j int) bool { return x.postings[i].word < x.postings[j].word })
}

// prefix lists some words with their documents. The first one who asks waits until the index is there.
func (x *index) prefix(p string, most int) []posting {
	x.once.Do(x.build)
	i := sort.Search(len(x.postings), func(i int) bool { return x.postings[i].word >= p })
	j := i
	for j < len(x.postings) && j-i < most && strings.HasPrefix(x.postings[j].word, p) {
		j++
	}
	return x.postings[i:j]
}

func (x *index) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, p := range x.prefix(r.FormValue("p"), 10) {
		fmt.Fprintf(w, "%s %d\n", p.word, len(p.docs))
	}
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 20}}
	for n := range 20 {
		go func() {
			for i := n; ; i++ {
				if res, err := client.Get(url + "/words?p=" + strings.Fields(syllables)[i%30]); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(50 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	docs := flag.Int("docs", 450_000, "size of the collection")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	http.Handle("/words", &index{docs: *docs})
	log.Fatal(http.ListenAndServe(addr, nil))
}
