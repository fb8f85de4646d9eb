// A service in which 1,500 requests at a time wait for a slow back end: more than usual, and worth knowing.
package main

import "github.com/gocasebook/casebook/diagnose/testdata/programs/service"

func waitFor(answer <-chan int) int { return <-answer }

func main() {
	answer := make(chan int)
	for range 1500 {
		go waitFor(answer)
	}
	service.Run()
	close(answer)
}
