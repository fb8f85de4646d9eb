// Package buffer writes to connections.
package buffer

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"text/template"
	"time"
)

type level struct {
	id    uint64
	price int64
}

type book []level

// send is lab/modules/quotes.
func (b book) send(w io.Writer) error {
	if err := binary.Write(w, binary.BigEndian, uint16(len(b))); err != nil {
		return err
	}
	for i := range b {
		if err := binary.Write(w, binary.BigEndian, b[i].id); err != nil {
			return err
		}
		if err := binary.Write(w, binary.BigEndian, b[i].price); err != nil {
			return err
		}
	}
	return nil
}

type graphite struct {
	conn     net.Conn
	counters map[string]int
}

// flush is lab/modules/carbon.
func (g *graphite) flush(now time.Time) error {
	for name, c := range g.counters {
		if _, err := fmt.Fprintf(g.conn, "%s %d %d\n", name, c, now.Unix()); err != nil {
			return fmt.Errorf("flushing: %w", err)
		}
	}
	return nil
}

type archive struct{ in io.Writer }

// add is lab/modules/exports: one of its forms is buffered already.
func (a *archive) add(orders int) error {
	for i := range orders {
		if _, err := fmt.Fprintf(a.in, "%d;EUR\n", i); err != nil {
			return err
		}
	}
	if f, ok := a.in.(*bufio.Writer); ok {
		return f.Flush()
	}
	return nil
}

var letter = template.Must(template.New("").Parse("{{range .}}{{.}},{{end}}"))

func print(c net.Conn, items []string) error { return letter.Execute(c, items) }

type csvWriter struct {
	w   io.Writer
	err error
}

func (c *csvWriter) field(s string) {
	if c.err == nil {
		_, c.err = io.WriteString(c.w, s+",")
	}
}

// table is lab/holdout2/teletype: a local value writes.
func table(w io.Writer, names []string) error {
	c := &csvWriter{w: w}
	for _, n := range names {
		c.field(n)
	}
	return c.err
}

func quiet(f *os.File, lines []string) {
	for _, l := range lines {
		f.WriteString(l)
	}
}

// answer waits for answers in between.
func answer(c net.Conn, asks []string) error {
	b := make([]byte, 64)
	for _, a := range asks {
		if _, err := io.WriteString(c, a); err != nil {
			return err
		}
		if _, err := c.Read(b); err != nil {
			return err
		}
	}
	return nil
}

// serve writes for ever.
func serve(c net.Conn, n int) {
	for {
		fmt.Fprintln(c, n)
	}
}

// pushed writes what comes.
func pushed(c net.Conn, lines chan string) {
	for l := range lines {
		fmt.Fprintln(c, l)
	}
}

var errBad = errors.New("bad")

// checked returns in the middle, for another reason.
func checked(w io.Writer, lines []string) error {
	for _, l := range lines {
		if l == "" {
			return errBad
		}
		if _, err := io.WriteString(w, l); err != nil {
			return err
		}
	}
	return nil
}

// counted has a result of its own.
func counted(w io.Writer, lines []string) (n int, err error) {
	for _, l := range lines {
		if _, err := io.WriteString(w, l); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// given passes the writer on.
func given(w io.Writer, lines []string, to func(io.Writer) error) error {
	for _, l := range lines {
		if _, err := io.WriteString(w, l); err != nil {
			return err
		}
	}
	return to(w)
}

// handler has a buffer already.
func handler(w http.ResponseWriter, lines []string) {
	for _, l := range lines {
		io.WriteString(w, l)
	}
}

// one is a single write.
func one(w io.Writer) error {
	_, err := io.WriteString(w, "one")
	return err
}
