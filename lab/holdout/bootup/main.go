// Bootup reads a large gazetteer at its start, which takes all the CPU for seconds, and then serves it at leisure.
// Healthy.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

type place struct {
	name     string
	lat, lon float32
}

type gazetteer struct{ places []place }

func dump(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "%s%07d\t%f\t%f\n", []string{"Vik", "Dal", "Nes"}[i%3], i*7919%n, float64(i%180)-90,
			float64(i%360)-180)
	}
	return b.Bytes()
}

func read(text []byte) *gazetteer {
	g := &gazetteer{}
	for sc := bufio.NewScanner(bytes.NewReader(text)); sc.Scan(); {
		f := strings.Split(sc.Text(), "\t")
		lat, _ := strconv.ParseFloat(f[1], 32)
		lon, _ := strconv.ParseFloat(f[2], 32)
		g.places = append(g.places, place{strings.Clone(f[0]), float32(lat), float32(lon)})
	}
	slices.SortFunc(g.places, func(a, b place) int { return strings.Compare(a.name, b.name) })
	g.places = slices.Clip(slices.Clone(g.places))
	return g
}

func (g *gazetteer) complete(w http.ResponseWriter, r *http.Request) {
	q := r.FormValue("q")
	i := sort.Search(len(g.places), func(i int) bool { return g.places[i].name >= q })
	for n := 0; n < 400 && i < len(g.places) && strings.HasPrefix(g.places[i].name, q); n, i = n+1, i+1 {
		p := g.places[i]
		fmt.Fprintf(w, "%s %.2f %.2f\n", p.name, p.lat, p.lon)
	}
}

func load(base string) {
	for i, t := 0, time.Tick(3*time.Millisecond); ; i++ {
		<-t
		go func() {
			if r, err := http.Get(fmt.Sprintf("%s/complete?q=Dal%02d", base, i%100)); err == nil {
				r.Body.Close()
			}
		}()
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	g := read(dump(1_200_000))
	http.HandleFunc("/complete", g.complete)
	log.Fatal(http.ListenAndServe(addr, nil))
}
