package facts

import (
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// A Crowd is goroutines that stand at one place and came there in the same way, waiting or not. Facts name the crowds
// that tell something by themselves; who could end somebody's wait, as source says, may be in any.
type Crowd struct {
	Frames  []Frame // the user's, leaf first
	Thing   string  // that they wait for; Running for those that do not
	Request bool    // a client waits for them
	N       []int64 // in each capture, oldest first
}

// crowdsOf are all that have a line of the user's.
func crowdsOf(b *builder) (out []Crowd) {
	for _, p := range b.graph.Piles {
		c := Crowd{Thing: thingOf(p), Request: p.Request, N: p.N}
		for _, id := range p.Stack {
			if b.r.Table.Func(id).Owner == stacks.User {
				c.Frames = append(c.Frames, b.frame(id))
			}
		}
		if len(c.Frames) > 0 && p.For != wait.Collector {
			out = append(out, c)
		}
	}
	return out
}

// Last is how many there are in the last capture.
func (c *Crowd) Last() int64 { return c.N[len(c.N)-1] }
