package main

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"
)

// servePostgres speaks as much of Postgres's protocol as simple queries need. Every select has the columns id, name and
// amount.
func servePostgres(ctx context.Context, addr string, w *weather) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listening for Postgres: %w", err)
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return fmt.Errorf("accepting: %w", err)
		}
		go func() {
			defer conn.Close()
			s := session{backend: pgproto3.NewBackend(conn, conn), conn: conn, weather: w, status: 'I'}
			_ = s.run(ctx) // its client went away
		}()
	}
}

// A session is one connection.
type session struct {
	backend *pgproto3.Backend
	conn    net.Conn
	weather *weather
	status  byte // of the transaction: I or T
}

func (s *session) run(ctx context.Context) error {
	if err := s.greet(); err != nil {
		return err
	}
	for {
		message, err := s.backend.Receive()
		if err != nil {
			return err
		}
		switch m := message.(type) {
		case *pgproto3.Query:
			err = s.query(ctx, m.String)
		case *pgproto3.Terminate:
			return nil
		default:
			err = fmt.Errorf("message %T is not known: use simple queries", m)
		}
		if err != nil {
			return err
		}
	}
}

func (s *session) greet() error {
	for {
		message, err := s.backend.ReceiveStartupMessage()
		if err != nil {
			return err
		}
		if _, ok := message.(*pgproto3.SSLRequest); !ok {
			break
		}
		if _, err := s.conn.Write([]byte("N")); err != nil {
			return err
		}
	}
	s.backend.Send(&pgproto3.AuthenticationOk{})
	s.backend.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	s.backend.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	s.backend.Send(&pgproto3.ReadyForQuery{TxStatus: s.status})
	return s.backend.Flush()
}

func (s *session) query(ctx context.Context, text string) error {
	verb, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text)), " ")
	switch verb {
	case "begin":
		s.status = 'T'
	case "commit", "rollback":
		s.status = 'I'
	case "select":
		if err := s.weather.wait(ctx); err != nil {
			return err
		}
		s.rows(limit(text))
	default:
		if err := s.weather.wait(ctx); err != nil {
			return err
		}
	}
	s.backend.Send(&pgproto3.CommandComplete{CommandTag: []byte(strings.ToUpper(verb) + " 1")})
	s.backend.Send(&pgproto3.ReadyForQuery{TxStatus: s.status})
	return s.backend.Flush()
}

// Types of columns, from pg_type.dat.
const (
	oidInt8 = 20
	oidText = 25
)

func (s *session) rows(n int) {
	s.backend.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{
		{Name: []byte("id"), DataTypeOID: oidInt8, DataTypeSize: 8, TypeModifier: -1},
		{Name: []byte("name"), DataTypeOID: oidText, DataTypeSize: -1, TypeModifier: -1},
		{Name: []byte("amount"), DataTypeOID: oidInt8, DataTypeSize: 8, TypeModifier: -1},
	}})
	for i := range n {
		s.backend.Send(&pgproto3.DataRow{Values: [][]byte{
			strconv.AppendInt(nil, int64(i+1), 10), fmt.Appendf(nil, "row %d", i+1),
			strconv.AppendInt(nil, int64(i*37%1000), 10),
		}})
	}
}
