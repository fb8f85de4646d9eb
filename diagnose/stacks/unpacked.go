package stacks

// What google/pprof's structs of a profile take while its own pages are made of it, in bytes: the structs as Go lays them
// out, and as much again for the report. Labels are maps.
const (
	pprofSample = 250
	pprofID     = 24
	pprofPart   = 350 // a label; the fields of a location, which are counted with it, take less
	pprofTable  = 300
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
