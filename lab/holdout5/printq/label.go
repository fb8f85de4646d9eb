package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
)

type label struct {
	Parcel string   `json:"parcel"`
	To     []string `json:"to"`
	Weight int      `json:"weight"`
}

// render is the label in the printers' language: text, and a bar code as lines of dots.
func (l label) render() ([]byte, error) {
	if l.Parcel == "" || len(l.To) == 0 {
		return nil, errors.New("label without parcel or address")
	}
	var b bytes.Buffer
	b.WriteString("^XA\n")
	for i, line := range l.To {
		fmt.Fprintf(&b, "^FO40,%d^A0N,36^FD%s^FS\n", 40+i*44, line)
	}
	fmt.Fprintf(&b, "^FO40,400^FD%d.%03d kg^FS\n", l.Weight/1000, l.Weight%1000)
	sum := crc32.ChecksumIEEE([]byte(l.Parcel))
	for row := range 60 {
		for bit := range 32 {
			c := byte('0')
			if sum>>bit&1 == 1 {
				c = 'F'
			}
			b.WriteByte(c)
		}
		if row%20 == 19 {
			b.WriteByte('\n')
		}
	}
	b.WriteString("^XZ\n")
	return b.Bytes(), nil
}
