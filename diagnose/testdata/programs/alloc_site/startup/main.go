// A service that parses a large table when it starts and then waits: its garbage is of the past.
package main

import (
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

func load() map[string]int {
	var b strings.Builder
	for i := range 400_000 {
		b.WriteString("key" + strconv.Itoa(i) + "=" + strconv.Itoa(i) + "\n")
	}
	table := make(map[string]int)
	for range 8 {
		for _, line := range strings.Split(b.String(), "\n") {
			k, v, _ := strings.Cut(line, "=")
			table[strings.Clone(k)[:min(len(k), 5)]], _ = strconv.Atoi(v)
		}
	}
	return table
}

func main() {
	table := load()
	service.Run()
	_ = table
}
