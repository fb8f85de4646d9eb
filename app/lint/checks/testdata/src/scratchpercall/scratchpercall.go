package scratchpercall

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"io"
	"math/rand"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

type answer struct{ Name string }

func get(w http.ResponseWriter, r *http.Request) {
	enc := xml.NewEncoder(w) // want `it makes a bufio.Writer of 4 kB at every call`
	enc.Indent("", "  ")
	if err := enc.Encode(answer{}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func put(r *http.Request) (a answer, err error) {
	err = xml.NewDecoder(r.Body).Decode(&a) // want `it makes a bufio.Reader of 4 kB at every call`
	return a, err
}

func rows(r io.Reader) ([][]string, error) {
	c := csv.NewReader(r) // want `it makes a bufio.Reader of 4 kB`
	c.Comma = ';'
	return c.ReadAll()
}

func command(conn net.Conn) (string, error) {
	r := bufio.NewReader(conn) // want `take a bufio.Reader of a sync.Pool and Reset it`
	return r.ReadString('\n')
}

func reply(conn net.Conn, lines []string) error {
	w := bufio.NewWriterSize(conn, 64<<10) // want `take a bufio.Writer of a sync.Pool and Reset it`
	for _, l := range lines {
		w.WriteString(l)
	}
	return w.Flush()
}

func pick(names []string) string {
	r := rand.New(rand.NewSource(time.Now().UnixNano())) // want `use the functions of math/rand/v2`
	return names[r.Intn(len(names))]
}

func answers(names []string, ask func(string) answer) (out []answer) {
	got := make(chan answer, 100) // want `room for 100 values at every call`
	for _, n := range names {
		go func() { got <- ask(n) }()
	}
	for range names {
		out = append(out, <-got)
	}
	return out
}

func lines(text string) (n int) {
	r := bufio.NewReader(strings.NewReader(text)) // want `for what is in memory already: cut its lines`
	for {
		if _, err := r.ReadString('\n'); err != nil {
			return n
		}
		n++
	}
}

// What follows is fine.

var writers = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

func pooled(w http.ResponseWriter, a answer) error {
	b := writers.Get().(*bufio.Writer)
	b.Reset(w)
	defer writers.Put(b)
	return xml.NewEncoder(b).Encode(a)
}

type client struct {
	r *bufio.Reader
	c chan answer
}

func newClient(conn net.Conn) *client {
	return &client{r: bufio.NewReader(conn), c: make(chan answer, 256)}
}

func request(conn net.Conn) (*http.Request, error) {
	br := bufio.NewReader(conn)
	return http.ReadRequest(br) // its body goes on reading
}

func buffered(r *bufio.Reader) ([]string, error) { return csv.NewReader(r).Read() }

func inMemory(data []byte) *bytes.Reader { return bytes.NewReader(data) }

func fewAnswers() answer {
	c := make(chan answer, 2)
	go func() { c <- answer{} }()
	return <-c
}

func queue() chan answer {
	c := make(chan answer, 1024)
	return c
}

func subscribe(register func(chan answer)) {
	c := make(chan answer, 256)
	register(c)
	for range c {
	}
}

func again(conns []net.Conn) {
	w := bufio.NewWriter(nil)
	for _, c := range conns {
		w.Reset(c)
		w.WriteString("hello")
		w.Flush()
	}
}

func shuffled(names []string) {
	r := rand.New(rand.NewSource(1)) // the same order each time
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
}

func many[T any](all []T) {
	c := make(chan T, 100)
	for _, v := range all {
		c <- v
	}
}
