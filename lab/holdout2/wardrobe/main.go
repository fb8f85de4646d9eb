// Wardrobe tells which costumes of a theatre are in the house. The answers come from a database over the wire.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"time"
)

// wire is a connection to the database: length and text, both ways.
type wire struct {
	net.Conn
	r *bufio.Reader
}

func (w *wire) query(sql string) (string, error) {
	msg := binary.BigEndian.AppendUint32([]byte{'Q'}, uint32(len(sql)))
	if _, err := w.Write(append(msg, sql...)); err != nil {
		return "", err
	}
	return readMessage(w.r)
}

func readMessage(r io.Reader) (string, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return "", err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > 1<<20 {
		return "", errors.New("message too long")
	}
	text := make([]byte, n)
	_, err := io.ReadFull(r, text)
	return string(text), err
}

// DB hands out connections.
type DB struct {
	addr string
	free chan *wire
}

// Open makes a pool of max connections.
func Open(addr string, max int) *DB {
	db := &DB{addr: addr, free: make(chan *wire, max)}
	for range max {
		db.free <- nil
	}
	return db
}

func (db *DB) acquire(ctx context.Context) (*wire, error) {
	select {
	case w := <-db.free:
		if w != nil {
			return w, nil
		}
		c, err := net.Dial("tcp", db.addr)
		if err != nil {
			db.free <- nil
			return nil, err
		}
		return &wire{c, bufio.NewReader(c)}, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for a connection: %w", context.Cause(ctx))
	}
}

// Query runs one statement.
func (db *DB) Query(ctx context.Context, sql string) (string, error) {
	w, err := db.acquire(ctx)
	if err != nil {
		return "", err
	}
	answer, err := w.query(sql)
	if err != nil {
		w.Close()
		w = nil
	}
	db.free <- w
	return answer, err
}

func handler(db *DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
		defer cancel()
		rows, err := db.Query(ctx, "SELECT * FROM costume WHERE play = '"+r.PathValue("play")+"'")
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, rows)
	}
}

// database answers each statement after 6 ms.
func database(c net.Conn) {
	for {
		q, err := readMessage(c)
		if err != nil {
			c.Close()
			return
		}
		time.Sleep(6 * time.Millisecond)
		rows := "rows of " + q
		c.Write(append(binary.BigEndian.AppendUint32([]byte{'D'}, uint32(len(rows))), rows...))
	}
}

func load(url, db string) {
	ln, err := net.Listen("tcp", db)
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for n := range 50 {
		go func() {
			for i := 0; ; i++ {
				if res, err := client.Get(fmt.Sprintf("%s/play/p%d", url, n*i%90)); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(15 * time.Millisecond)
			}
		}()
	}
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go database(c)
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	conns := flag.Int("conns", 3, "connections to the database")
	flag.Parse()
	addr, dbAddr := fmt.Sprintf("127.0.0.1:%d", *port), fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load("http://"+addr, dbAddr)
	}
	http.HandleFunc("GET /play/{play}", handler(Open(dbAddr, *conns)))
	log.Fatal(http.ListenAndServe(addr, nil))
}
