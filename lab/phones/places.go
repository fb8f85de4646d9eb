package phones

import (
	"fmt"
	"net/http"
)

// places bound how many requests of a kind are under way, by the capacity of the channel. What finds none is refused at
// once: waiting requests hold memory, and a process that has thousands of them answers nobody in time, its own probes
// included.
type places chan struct{}

// enter takes a place, which leave gives back; or answers 503 and reports false.
func (p places) enter(w http.ResponseWriter) bool {
	select {
	case p <- struct{}{}:
		return true
	default:
		w.Header().Set("Retry-After", "1")
		writeError(w, http.StatusServiceUnavailable, errorReply{
			Error: fmt.Sprintf("busy: %d such requests are under way, and nothing was done for this one; try again "+
				"in a second",
				cap(p))})
		return false
	}
}

func (p places) leave() { <-p }
