package writeinloop

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

func lines(f *os.File, all []string) error {
	for _, l := range all {
		if _, err := f.WriteString(l + "\n"); err != nil { // want `each turn is a system call`
			return err
		}
	}
	return nil
}

func fields(c net.Conn, all [][]byte) {
	for _, b := range all {
		c.Write(b) // want `each turn is a system call`
	}
}

func prints(f *os.File, all map[string]int) {
	for k, v := range all {
		fmt.Fprintf(f, "%s=%d\n", k, v) // want `each turn is a system call`
	}
}

func texts(c *tls.Conn, all []string) {
	for _, s := range all {
		io.WriteString(c, s) // want `each turn is a system call`
	}
}

func stdout(all []string) {
	for _, s := range all {
		fmt.Fprintln(os.Stdout, s) // want `each turn is a system call`
	}
}

// What follows is fine.

func buffered(f *os.File, all []string) error {
	w := bufio.NewWriter(f)
	for _, l := range all {
		w.WriteString(l)
	}
	return w.Flush()
}

func memory(all []string) []byte {
	var b bytes.Buffer
	for _, l := range all {
		fmt.Fprintln(&b, l)
	}
	return b.Bytes()
}

func echo(c net.Conn) error {
	b := make([]byte, 512)
	for {
		n, err := c.Read(b)
		if err != nil {
			return err
		}
		c.Write(b[:n])
	}
}

func answers(c net.Conn, in chan []byte) {
	for b := range in {
		c.Write(b)
	}
}

func whole(f *os.File, p []byte) error {
	for len(p) > 0 {
		n, err := f.Write(p)
		if err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}

func datagrams(c *net.UDPConn, all [][]byte) {
	for _, b := range all {
		c.Write(b)
	}
}

func response(w http.ResponseWriter, all []string) {
	for _, s := range all {
		io.WriteString(w, s)
	}
}

func single(f *os.File, all []string) {
	f.WriteString(all[0])
	for _, s := range all {
		f.WriteString(s)
		return
	}
}
