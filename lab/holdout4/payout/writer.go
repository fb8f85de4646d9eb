package main

import (
	"bufio"
	"compress/gzip"
	"io"
	"strconv"
	"sync"
	"time"
)

// Payment is what somebody is paid.
type Payment struct {
	ID      int64
	At      time.Time
	Payee   string
	Purpose string
	Cents   int64
}

// exporter is reused: its compressor has a megabyte of state.
type exporter struct {
	zip *gzip.Writer
	buf *bufio.Writer
	row []byte
}

var exporters = sync.Pool{New: func() any {
	e := &exporter{zip: gzip.NewWriter(io.Discard)}
	e.buf = bufio.NewWriterSize(e.zip, 32<<10)
	return e
}}

// export writes payments as compressed CSV.
func export(w io.Writer, list []Payment) error {
	e := exporters.Get().(*exporter)
	defer exporters.Put(e)
	e.zip.Reset(w)
	e.buf.Reset(e.zip)
	e.buf.WriteString("id,at,payee,purpose,amount\n")
	for i := range list {
		e.row = list[i].appendTo(e.row[:0])
		e.buf.Write(e.row) // it keeps its first error for Flush
	}
	if err := e.buf.Flush(); err != nil {
		return err
	}
	return e.zip.Close()
}

func (p *Payment) appendTo(b []byte) []byte {
	b = strconv.AppendInt(b, p.ID, 10)
	b = append(b, ',')
	b = p.At.AppendFormat(b, time.RFC3339)
	b = append(b, ',')
	b = strconv.AppendQuote(b, p.Payee)
	b = append(b, ',')
	b = strconv.AppendQuote(b, p.Purpose)
	b = append(b, ',')
	b = strconv.AppendInt(b, p.Cents/100, 10)
	b = append(b, '.', byte('0'+p.Cents/10%10), byte('0'+p.Cents%10), '\n')
	return b
}
