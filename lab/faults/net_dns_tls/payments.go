// Package net_dns_tls pays by asking a bank over TLS.
//
// The fault: every payment looks up the bank's name, opens a connection, shakes hands and closes it.
package net_dns_tls

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/gocasebook/casebook/lab/faults"
)

// Payments asks the bank.
type Payments struct {
	bank  bank
	keeps bool
	every int           // of so many payments one is made with the bank; the others are paid in advance
	free  chan net.Conn // connections that are kept
}

// pay makes a payment over a connection of its own.
func (p *Payments) pay(ctx context.Context) (string, error) {
	dialer, address := p.bank.dialer()
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return "", fmt.Errorf("calling the bank: %w", err)
	}
	defer conn.Close()
	return ask(conn)
}

// payKept makes it over one that is kept.
func (p *Payments) payKept(ctx context.Context) (string, error) {
	conn, err := p.connection(ctx)
	if err != nil {
		return "", err
	}
	receipt, err := ask(conn)
	if err != nil {
		conn.Close()
		return "", err
	}
	select {
	case p.free <- conn:
	default:
		conn.Close()
	}
	return receipt, nil
}

// connection is one that is free, else a new one.
func (p *Payments) connection(ctx context.Context) (net.Conn, error) {
	select {
	case conn := <-p.free:
		return conn, nil
	default:
	}
	dialer, address := p.bank.dialer()
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("calling the bank: %w", err)
	}
	return conn, nil
}

// ask sends a payment and reads the receipt, a line each.
func ask(conn io.ReadWriter) (string, error) {
	if _, err := io.WriteString(conn, "pay 79.90\n"); err != nil {
		return "", fmt.Errorf("asking the bank: %w", err)
	}
	receipt := make([]byte, receiptSize)
	if _, err := io.ReadFull(conn, receipt); err != nil {
		return "", fmt.Errorf("reading the receipt: %w", err)
	}
	return string(receipt), nil
}

// ServeHTTP answers with the receipt.
func (p *Payments) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var i int
	if fmt.Sscan(r.FormValue("i"), &i); i%p.every != 0 {
		fmt.Fprint(w, "paid in advance")
		return
	}
	pay := p.pay
	if p.keeps {
		pay = p.payKept
	}
	receipt, err := pay(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprint(w, receipt)
}

func service(keeps bool, every int) faults.Service {
	p := &Payments{keeps: keeps, every: every, free: make(chan net.Conn, 8)}
	return faults.Service{Handler: p, Load: []faults.Call{{Path: "/pay?i=%d", PerSecond: 120}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind:     "net-dns-tls",
		Text:     "120 payments a second look up a name and shake hands, each on a connection of its own",
		Culprit:  "net_dns_tls.(*Payments).pay",
		Faulty:   func() faults.Service { return service(false, 1) },
		Repaired: func() faults.Service { return service(true, 1) },
		Limit:    func() faults.Service { return service(false, 4) },
	}
}
