package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/internal/number"
)

// slowCall is the time of a call, in seconds, from which on its connection may be lost by a timeout. If half of the
// calls end at one, the mean is at least half of it, and timeouts below 100 ms are rare.
const slowCall = 0.05

// mayTimeOut puts what keeps connections of slow calls first, if calls take long: HTTP/1.1 cannot use a connection
// again whose call was given up, for the answer may still come; and of many slow calls to a host more come back at once
// than are kept by default. Neither a profile nor a dump tells the two apart, so the remedy says how to. calls is the
// calls a second: by Little's law those in progress divided by it is how long one takes.
func mayTimeOut(r *Reading, f *casefile.Finding, calls float64) {
	set := r.Goroutines()
	if set == nil || calls <= 0 {
		return
	}
	in := r.Funcs(withWork(known.AwaitsHTTP)).Sum(set, set.Count())
	mean := in / calls
	if in < minDials || mean < slowCall {
		return
	}
	f.Summary += fmt.Sprintf(" Calls are slow: with %s in progress one takes about %s.", count(in),
		number.Seconds(float64(int(100*mean))/100))
	keep := keepAliveRemedies()
	f.Remedies = remediesAt("", timeoutRemedy(), keep[2], keep[0], keep[1])
}

// timeoutRemedy is for calls that are given up.
func timeoutRemedy() Remedy {
	return byChange("", "See whether calls end at their timeout", "HTTP/1.1 closes the connection of a call that is "+
		"cancelled or runs into its deadline. Count such errors at the lines named (context deadline exceeded, "+
		"Client.Timeout exceeded). If they are about as many as the connections, the client is not at fault: make "+
		"the other side faster, wait longer, send a second call when the first is late "+
		"(github.com/gocasebook/casebook/remedy/hedge), or stop calling what is down (github.com/sony/gobreaker). If "+
		"there are few, more connections come back at once than MaxIdleConnsPerHost keeps.",
		"none; it is a look at errors")
}
