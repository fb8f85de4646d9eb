package selectspin

import (
	"runtime"
	"time"
)

func spin(in chan int, stop chan bool) {
	for {
		select {
		case n := <-in:
			println(n)
		case <-stop:
			return
		default: // want `uses a whole core`
			continue
		}
	}
}

func yields(in chan int) (turns int) {
	for {
		select {
		case <-in:
			return turns
		default: // want `uses a whole core`
			turns++
			runtime.Gosched()
		}
	}
}

// What follows is fine.

func empty(in chan int) {
	for {
		select {
		case <-in:
		default: // staticcheck's
		}
	}
}

func sleeps(in chan int) {
	for {
		select {
		case <-in:
		default:
			time.Sleep(time.Second)
		}
	}
}

func works(in chan int, step func()) {
	for {
		select {
		case <-in:
			return
		default:
			step()
		}
	}
}

func behind(in chan int, step func()) {
	for {
		select {
		case <-in:
			return
		default:
			break
		}
		step()
	}
}

func drains(in chan int) {
loop:
	for {
		select {
		case <-in:
		default:
			break loop
		}
	}
}
