// An upload service that reads every body into a new slice, growing it as it goes.
package main

import (
	"io"
	"strings"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

type handler struct{ sum uint32 }

func (h *handler) handle(text string) {
	body := readBody(strings.NewReader(text))
	h.sum += checksum(body)
}

func readBody(r io.Reader) []byte {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil
	}
	return b
}

func main() {
	text := strings.Repeat("a line of a document that is uploaded\n", 400)
	var h handler
	go service.Load(20_000, func(int) { h.handle(text) })
	service.Run()
}

// checksum is the work that is done anyway.
func checksum(b []byte) (sum uint32) {
	for _, c := range b {
		sum = sum*31 + uint32(c)
	}
	return sum
}
