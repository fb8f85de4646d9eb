package feature

import (
	"net/http"
	"runtime"
)

// A door bounds the requests in flight and refuses further ones at once: a queue would only make everybody wait.
type door struct{ slots chan struct{} }

func newDoor(inFlight int) door { return door{make(chan struct{}, inFlight)} }

// pass answers a request by answer, or refuses it.
//
// Without the pause a service that is short of CPU would refuse nothing: the scheduler lets each request run to its
// end, and those that have arrived wait to be run, where nobody counts them. So each is counted first, and goes to the
// end of the queue.
func (d door) pass(w http.ResponseWriter, r *http.Request,
	answer func(http.ResponseWriter, *http.Request) outcome) outcome {
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
		runtime.Gosched()
		return answer(w, r)
	default:
		return refuse(w, "more requests are in flight than -max-in-flight allows")
	}
}
