package foreign

import (
	"context"
	"encoding/binary"
	"net"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// dnsHeader is the length of a message's header, by RFC 1035.
const dnsHeader = 12

// dnsQuery asks for the address (A) of a name. signed asks for its signatures too, by EDNS(0) with the bit DO (RFC 6891
// and RFC 3225), as a validating resolver does.
func dnsQuery(id uint16, name string, signed bool) []byte {
	msg := []byte{byte(id >> 8), byte(id), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0} // recursion desired, one question
	for label := range strings.SplitSeq(name, ".") {
		msg = append(append(msg, byte(len(label))), label...)
	}
	msg = append(msg, 0, 0, 1, 0, 1)
	if signed {
		msg[11] = 1 // one additional record
		msg = append(msg, 0, 0, 41, 4, 208, 0, 0, 0x80, 0, 0, 0)
	}
	return msg
}

// dnsAnswer answers the first question of a message with 127.0.0.1 for 30 seconds; nil when there is none.
func dnsAnswer(query []byte) []byte {
	if len(query) < dnsHeader {
		return nil
	}
	end := dnsHeader
	for end < len(query) && query[end] != 0 {
		end += int(query[end]) + 1
	}
	if end+5 > len(query) {
		return nil
	}
	answer := append([]byte(nil), query[:end+5]...)
	copy(answer[2:dnsHeader], []byte{0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0})
	return append(answer, 0xc0, dnsHeader, 0, 1, 0, 1, 0, 0, 0, 30, 0, 4, 127, 0, 0, 1)
}

// ask sends one question and waits for its answer, as a stub resolver does.
func ask(addr string, id uint16, name string, signed bool) load.Call {
	return func(ctx context.Context) load.Outcome {
		conn, err := new(net.Dialer).DialContext(ctx, "udp", addr)
		if err != nil {
			return load.Outcome{Class: load.ClassConnection, Text: err.Error()}
		}
		defer conn.Close()
		if deadline, ok := ctx.Deadline(); ok {
			conn.SetDeadline(deadline)
		}
		stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
		defer stop()
		if _, err := conn.Write(dnsQuery(id, name, signed)); err != nil {
			return load.Outcome{Class: load.ClassConnection, Text: err.Error()}
		}
		buf := make([]byte, 1500)
		n, err := conn.Read(buf)
		switch {
		case err != nil:
			return load.Outcome{Class: load.ClassTimeout, Text: err.Error()}
		case n < dnsHeader || binary.BigEndian.Uint16(buf) != id || buf[3]&15 != 0:
			return load.Outcome{Class: load.ClassOther, Text: "the resolver failed"}
		}
		return load.Outcome{Class: load.ClassOK}
	}
}
