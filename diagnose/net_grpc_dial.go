package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A gRPC client connection is made once: it carries all calls at once, over HTTP/2. If one is made for each call, it is
// set up, connected and torn down each time, with six goroutines and 64 KiB of buffers.

// grpcDials finds client connections that are made while requests are answered, by the CPU that making them takes, and
// by what it allocates where there is no CPU profile.
func grpcDials(r *Reading) (casefile.Finding, bool) {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples || v.level.idle() {
		return casefile.Finding{}, false
	}
	set := r.Funcs(withRole(known.SetsUpClient))
	lines := make(map[stacks.FrameID]int64)
	for s, w := range v.set.Counted(v.weight) {
		if id, hit := set.BelowUser(r.Table, s.Stack); hit && id != stacks.NoFrame && serves(r.Table, s.Stack) {
			lines[id] += w
		}
	}
	f, at, ok := dialsFinding(r, v, lines, set.Sum(v.set, v.weight), "makes a connection, or closes it")
	f.Title = fmt.Sprintf("A gRPC connection is made for each call at %s", at)
	f.Summary = fmt.Sprintf("Making and closing gRPC client connections takes %s of the CPU; requests make them at %s; "+
		"%s.", percent(f.Impact.Share), at, v.level)
	f.Explanation = "A grpc.ClientConn is already a pool: it carries all calls at once and reconnects " +
		"automatically. If it is made for each call, it costs a connection, " +
		"HTTP/2's settings, half a dozen goroutines and 64 KiB of buffers, on both sides."
	f.Remedies = []casefile.Remedy{
		doChange("One grpc.ClientConn for the process", fmt.Sprintf("At %s: call grpc.NewClient once at "+
			"start-up, keep the connection in a field, and make stubs from it; it is safe for concurrent use.", at),
			"none"),
		doChange("If the targets vary, keep one for each", "A map from target to connection, and Close those "+
			"that have not been used for some minutes.", "idle connections on both sides"),
	}
	return f, ok
}
