package tables

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
)

const writesTitle = "Buffers before writes"

// writePieces is how many pieces of 32 bytes a message or a text has.
const writePieces = 64

const piece = "thirty-two bytes are one field.."

func writesTable(ctx context.Context, p pace) (Table, error) {
	socket, err := newSocket()
	if err != nil {
		return Table{}, err
	}
	rows, err := p.matchups(ctx, []matchup{socket.messages(), texts()})
	return Table{
		Name:  "writes",
		Title: writesTitle,
		Text: "CPU time for one of 64 pieces of 32 bytes that are written to a TCP connection on loopback, whose " +
			"other end reads in this process, or put together to a string.",
		Columns: matchupColumns("written"), Rows: rows,
		Said: "The articles: half of a worker's CPU was a system call for each field of a message, and all but " +
			"vanished with a buffer; strings.Builder, sized, in place of pieces added.",
		Holds: writesHolds,
	}, errors.Join(err, socket.close())
}

// A socket is a connection whose other end reads and drops.
type socket struct {
	conn    net.Conn
	dropped chan error
}

func newSocket() (*socket, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the writes: %w", err)
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return nil, fmt.Errorf("connecting for the writes: %w", err)
	}
	other, err := l.Accept()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("accepting the connection of the writes: %w", err), conn.Close())
	}
	s := &socket{conn, make(chan error, 1)}
	go func() {
		_, err := io.Copy(io.Discard, other)
		s.dropped <- errors.Join(err, other.Close())
	}()
	return s, nil
}

func (s *socket) close() error { return errors.Join(s.conn.Close(), <-s.dropped) }

func (s *socket) messages() matchup {
	send := func(name string, message func() error) contestant {
		return contestant{name, func(n int) (uint64, error) {
			for range n {
				if err := message(); err != nil {
					return 0, err
				}
			}
			return uint64(n), nil
		}}
	}
	pieces := func(w io.Writer) error {
		for range writePieces {
			if _, err := io.WriteString(w, piece); err != nil {
				return err
			}
		}
		return nil
	}
	buffered := bufio.NewWriter(s.conn)
	var whole bytes.Buffer
	return matchup{subject: "connection", per: writePieces, forms: []contestant{
		send("each piece", func() error { return pieces(s.conn) }),
		send("bufio.Writer", func() error { return errors.Join(pieces(buffered), buffered.Flush()) }),
		send("bytes.Buffer", func() error {
			whole.Reset()
			err := pieces(&whole)
			_, sent := s.conn.Write(whole.Bytes())
			return errors.Join(err, sent)
		}),
	}}
}

func texts() matchup {
	return matchup{subject: "string", per: writePieces, forms: []contestant{
		repeat("s += piece", func(int) uint64 {
			s := ""
			for range writePieces {
				s += piece
			}
			return uint64(len(s))
		}),
		repeat("strings.Builder", func(int) uint64 { return build(0) }),
		repeat("Builder, grown", func(int) uint64 { return build(writePieces * len(piece)) }),
		repeat("fmt.Sprintf", func(int) uint64 {
			s := ""
			for range writePieces {
				s = fmt.Sprintf("%s%s", s, piece)
			}
			return uint64(len(s))
		}),
	}}
}

//go:noinline
func build(room int) uint64 {
	var b strings.Builder
	b.Grow(room)
	for range writePieces {
		b.WriteString(piece)
	}
	return uint64(len(b.String()))
}
