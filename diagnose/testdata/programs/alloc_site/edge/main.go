// An upload service that allocates one slice of the right size for each body, beside other work.
package main

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

type handler struct{ sum uint32 }

func (h *handler) handle(text string) {
	body := make([]byte, len(text))
	copy(body, text)
	for range 3 {
		h.sum += checksum(body)
	}
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
