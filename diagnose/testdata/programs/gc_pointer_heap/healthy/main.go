// The repaired twin: 2.5 million entries as integers in a map without pointers.
package main

import (
	"strconv"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

const users = 2_500_000

// answer looks a number up and writes the answer.
func answer(phones map[uint64]uint64, i int) []byte {
	phone := phones[uint64(i*7919%users)]
	out := make([]byte, 0, 8<<10)
	out = append(out, `{"phone":"`...)
	out = strconv.AppendUint(out, phone, 10)
	return append(out, `"}`...)
}

func main() {
	phones := make(map[uint64]uint64, users)
	for u := range uint64(users) {
		phones[u] = 79160000000 + u
	}
	go service.Load(40_000, func(i int) { sink(answer(phones, i)) })
	service.Run()
}

//go:noinline
func sink([]byte) {}
