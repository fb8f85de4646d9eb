// A service that asks two back ends and takes the first answer: the loser blocks on its send for ever.
package main

import (
	"time"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

func ask(backend int, answers chan<- int) {
	time.Sleep(time.Duration(backend+1) * 5 * time.Millisecond)
	answers <- backend
}

func first() int {
	answers := make(chan int)
	for b := range 2 {
		go ask(b, answers)
	}
	return <-answers
}

func main() {
	go service.Load(3000, func(int) { go first() })
	service.Run()
}
