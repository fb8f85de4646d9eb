package stacks

// What google/pprof uses while a page is made of a profile, in bytes for each record: its structs, a call graph, and the
// page. CPU profiles of 20,000 functions and 5,000, 15,000 and 95,000 stacks had 155, 402 and 1,590 MB at the peak (peek,
// the largest page), and this says 171, 335 and 1,640.
const (
	pprofSample = 250
	pprofID     = 400 // a frame of a stack
	pprofPart   = 100
	pprofTable  = 1000
)

// Unpacked is a profile as protobuf without its compression, and roughly the memory that google/pprof needs to show it,
// for code that passes it on. What Table.Read refuses by its size is refused here too, and so are other formats than
// protobuf. The error is a *Problem.
func Unpacked(name string, data []byte) (proto []byte, needed int64, err error) {
	proto, p := decompress(data, readable())
	if p == nil {
		p = notAProfile(proto)
	}
	var c wireCount
	if p == nil {
		c, p = countWire(proto)
	}
	if p != nil {
		p.File = name
		return nil, 0, p
	}
	return proto, 2*int64(len(proto)) + pprofSample*int64(c.samples) + pprofID*int64(c.ids) +
		pprofPart*int64(c.parts) + pprofTable*int64(c.table), nil
}
