package stacks

import "fmt"

// What is read is bounded, so that no file can crash the process that reads it.
const (
	MaxFile    = 96 << 20  // bytes of a file as it comes, compressed or not
	MaxDump    = 256 << 20 // bytes of a goroutine dump, which is cut there: half a million goroutines of eight frames
	MaxProfile = 128 << 20 // bytes of a profile after decompression
	MaxSamples = 2_000_000 // stacks in one profile: about 0.7 GB at 25 frames
)

// maxHeld is how many bytes all sets of a table may use together before no further file is read: a folder of files that
// are each near the limits above would need a hundred times as much as one.
const maxHeld = 1 << 30

// Limits on parts of a profile that a real one does not come near; they bound what a crafted one can make us allocate.
const (
	maxTable  = 4_000_000  // locations, functions, mappings and strings together
	maxParts  = 8_000_000  // labels and lines inside samples and locations
	maxIDs    = 60_000_000 // location IDs and values inside samples
	maxRecord = 4096       // location IDs and values of one sample, lines of one location: Go records 128 frames
	maxName   = 4 << 10    // bytes of a name or a path; the rest is cut
	maxLine   = 64 << 10   // bytes of a line of text; the rest is cut
	maxLegacy = 16 << 20   // bytes of pprof's old forms, whose parsers take many times as much
)

// A Problem is why a file cannot be used: an error for people, with the next step.
type Problem struct {
	File   string
	Reason string // "truncated: the gzip stream ends early"
	Next   string // "capture it again; …"
}

func (p *Problem) Error() string {
	return fmt.Sprintf("reading %s: %s; %s", p.File, p.Reason, p.Next)
}

func problem(next, reason string, args ...any) *Problem {
	return &Problem{Reason: fmt.Sprintf(reason, args...), Next: next}
}

// Next steps that several reasons share.
const (
	captureAgain = "capture it again and keep the whole answer: curl -fo heap.pb.gz http://HOST/debug/pprof/heap"
	checkURL     = "check the URL: it should end in /debug/pprof/heap, /debug/pprof/profile?seconds=10 or the like"
	giveProfile  = "give a pprof profile (protobuf or debug=1 text) or a goroutine dump of a Go program"
)
