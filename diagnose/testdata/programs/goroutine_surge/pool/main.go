// A service with a constant pool of 3,000 workers that wait for jobs: large, and healthy.
package main

import "github.com/gocasebook/casebook/diagnose/testdata/programs/service"

type job func()

func work(jobs <-chan job) {
	for j := range jobs {
		j()
	}
}

func main() {
	jobs := make(chan job)
	for range 3000 {
		go work(jobs)
	}
	go service.Load(500, func(int) { jobs <- func() {} })
	service.Run()
}
