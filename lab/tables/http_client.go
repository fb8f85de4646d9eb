package tables

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// askTimeout ends what hangs: no turn takes that long.
const askTimeout = time.Minute

// A webClient asks over one connection, with as little work as an HTTP client can do.
type webClient struct {
	conn    net.Conn
	answers *bufio.Reader
	request []byte
	body    []byte // of the last answer
}

func dial(ctx context.Context, address string) (*webClient, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	request := "GET /phone?user=1&item=2 HTTP/1.1\r\nHost: " + address +
		"\r\nUser-Agent: casebook\r\nAccept: */*\r\n\r\n"
	return &webClient{conn: conn, answers: bufio.NewReader(conn), request: []byte(request)}, nil
}

// ask sends n requests, one after the other. It returns the length of the answers, and the sum of their last bytes.
func (c *webClient) ask(n int) (uint64, error) {
	if err := c.conn.SetDeadline(time.Now().Add(askTimeout)); err != nil {
		return 0, err
	}
	var total uint64
	for range n {
		if _, err := c.conn.Write(c.request); err != nil {
			return 0, fmt.Errorf("sending a request: %w", err)
		}
		if err := c.read(); err != nil {
			return 0, fmt.Errorf("reading an answer: %w", err)
		}
		total += uint64(len(c.body))
		for _, b := range c.body {
			total += uint64(b)
		}
	}
	return total, nil
}

// read reads an answer of status 200 with a Content-Length.
func (c *webClient) read() error {
	status, err := c.line()
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) {
		return fmt.Errorf("it begins with %.40q", status)
	}
	length := -1
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		if len(line) == 0 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return err
			}
		}
	}
	if length < 0 || length > maxBody {
		return fmt.Errorf("a length of %d", length)
	}
	if c.body == nil {
		c.body = make([]byte, maxBody)
	}
	c.body = c.body[:length]
	_, err = io.ReadFull(c.answers, c.body)
	return err
}

// maxBody bounds what is read of an answer.
const maxBody = 4096

// line is the next line without its end, until the next read.
func (c *webClient) line() ([]byte, error) {
	line, err := c.answers.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}
