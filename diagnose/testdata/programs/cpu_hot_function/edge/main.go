// A service in which one line, the encoding of the answer, takes about a quarter of the CPU.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

var words = regexp.MustCompile(`[a-z]+`)

type answer struct {
	Words []string
	Sum   [32]byte
}

func split(text string) []string { return words.FindAllString(text, -1) }

func digest(text string) [32]byte {
	sum := sha256.Sum256([]byte(text))
	for range 80 {
		sum = sha256.Sum256(sum[:])
	}
	return sum
}

func upper(text string) string {
	for range 30 {
		text = strings.ReplaceAll(strings.ToUpper(text), "A", "a")
	}
	return text
}

func handle(text string) []byte {
	a := answer{Words: split(text), Sum: digest(upper(text))}
	b, err := json.Marshal(a)
	if err != nil {
		return nil
	}
	return b
}

func main() {
	text := "the quick brown fox jumps over the lazy dog and runs away from it"
	go service.Load(15_000, func(int) { handle(text) })
	service.Run()
}
