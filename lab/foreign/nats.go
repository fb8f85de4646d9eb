package foreign

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/gocasebook/casebook/app/load"
)

// natsClients are connections that speak NATS' client protocol,
// docs.nats.io/reference/reference-protocols/nats-protocol.
type natsClients struct {
	addr string

	mu        sync.Mutex // guards what follows
	publisher net.Conn
	open      []net.Conn
}

// connect opens a connection; a reader answers the server's PING, unless nobody reads.
func (n *natsClients) connect(ctx context.Context, reads bool) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", n.addr)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(conn, "CONNECT {\"verbose\":false,\"pedantic\":false}\r\n"); err != nil {
		conn.Close()
		return nil, err
	}
	n.open = append(n.open, conn)
	if reads {
		go read(conn) // until it is closed
	}
	return conn, nil
}

// read takes what comes and answers pings. Payloads have no line that begins with PING.
func read(conn net.Conn) {
	in := bufio.NewReaderSize(conn, 64<<10)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
		if strings.HasPrefix(string(line), "PING") {
			if _, err := io.WriteString(conn, "PONG\r\n"); err != nil {
				return
			}
		}
	}
}

// call does what a word of drive.go says.
func (n *natsClients) call(word, subject string, size int) load.Call {
	return func(ctx context.Context) load.Outcome {
		if err := n.do(ctx, word, subject, size); err != nil {
			return load.Outcome{Class: load.ClassConnection, Text: err.Error()}
		}
		return load.Outcome{Class: load.ClassOK}
	}
}

func (n *natsClients) do(ctx context.Context, word, subject string, size int) (err error) {
	n.mu.Lock()
	defer n.mu.Unlock() // also while a message is written: lines of two must not mix
	conn := n.publisher
	if word == subscribe || word == neverRead || conn == nil {
		if conn, err = n.connect(ctx, word != neverRead); err != nil {
			return err
		}
	}
	switch word {
	case publish:
		n.publisher = conn
		_, err = fmt.Fprintf(conn, "PUB %s %d\r\n%s\r\n", subject, size, strings.Repeat("x", size))
	case createKept, createFile:
		kind := `"storage":"memory"`
		if word == createFile {
			kind = `"storage":"file","max_bytes":1073741824`
		}
		body := fmt.Sprintf(`{"name":"kept","subjects":[%q],%s,"retention":"limits","num_replicas":1}`, subject, kind)
		_, err = fmt.Fprintf(conn, "PUB $JS.API.STREAM.CREATE.kept %d\r\n%s\r\n", len(body), body)
	default:
		_, err = fmt.Fprintf(conn, "SUB %s 1\r\n", subject)
	}
	return err
}

func (n *natsClients) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, conn := range n.open {
		conn.Close()
	}
}
