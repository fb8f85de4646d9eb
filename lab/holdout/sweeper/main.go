// Sweeper imports sales of the shops in batches, as they lie in a spool, and keeps the sums of each article.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"time"
)

type sale struct {
	article string
	shop    string
	pence   int
}

type importer struct {
	spool chan []byte
	sums  map[string]int
	stock map[string][]string
}

func (im *importer) rows(batch []byte) []sale {
	var out []sale
	for sc := bufio.NewScanner(bytes.NewReader(batch)); sc.Scan(); {
		f := strings.Split(sc.Text(), ";")
		if len(f) != 3 {
			continue
		}
		p, err := strconv.Atoi(f[2])
		if err != nil {
			continue
		}
		out = append(out, sale{f[0], f[1], p})
	}
	return out
}

func (im *importer) flush(sales []sale) {
	sort.Slice(sales, func(i, k int) bool { return sales[i].article < sales[k].article })
	for _, s := range sales {
		im.sums[s.article] += s.pence
	}
	// Batches are large: give the memory back before the next one comes.
	runtime.GC()
}

func (im *importer) run() {
	for b := range im.spool {
		im.flush(im.rows(b))
	}
}

func (im *importer) warm() {
	for i := 0; i < 250000; i++ {
		a := "art-" + strconv.Itoa(i)
		im.stock[a] = []string{"shop-1", "shop-" + strconv.Itoa(i%40)}
	}
}

func load(url string) {
	var b bytes.Buffer
	for i := range 2000 {
		fmt.Fprintf(&b, "art-%d;shop-%d;%d\n", i*7919%5000, i%40, i%977)
	}
	for range time.Tick(100 * time.Millisecond) {
		if r, err := http.Post(url, "text/csv", bytes.NewReader(b.Bytes())); err == nil {
			r.Body.Close()
		}
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr + "/spool")
	}
	im := &importer{make(chan []byte, 16), map[string]int{}, map[string][]string{}}
	im.warm()
	go im.run()
	http.HandleFunc("/spool", func(w http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		b.ReadFrom(r.Body)
		im.spool <- b.Bytes()
	})
	log.Fatal(http.ListenAndServe(addr, nil))
}
