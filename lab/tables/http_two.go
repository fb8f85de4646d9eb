package tables

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// What a client of HTTP/2 begins with (RFC 9113, section 3.4): the preface, and a SETTINGS frame without settings.
const (
	http2Preface  = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	http2Settings = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
)

// http2Patience ends the wait for a server that neither answers nor hangs up.
const http2Patience = 5 * time.Second

// speaksHTTP2 begins a connection with HTTP/2 and looks whether the answer does, too. A server that hangs up, that says
// nothing, or that answers something else does not speak it.
func speaksHTTP2(ctx context.Context, address string) (bool, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return false, err
	}
	defer conn.Close() // it was only asked
	if err := conn.SetDeadline(time.Now().Add(http2Patience)); err != nil {
		return false, err
	}
	if _, err := io.WriteString(conn, http2Preface+http2Settings); err != nil {
		return false, nil
	}
	var header [len(http2Settings)]byte // length, type, flags, stream
	_, err = io.ReadFull(conn, header[:])
	if errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() != nil {
		return false, ctx.Err()
	}
	const settings = 4
	return err == nil && header[3] == settings, nil
}
