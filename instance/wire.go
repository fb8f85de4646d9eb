package instance

// A wireField is a field of a protobuf message (protobuf.dev/programming-guides/encoding).
type wireField struct {
	number, kind uint64
	v            uint64 // of a number
	data         string // of a wireBytes
}

const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

// eachWire calls do for every field of a message, and reports whether the message and all calls were right.
func eachWire(message string, do func(wireField) bool) bool {
	for len(message) > 0 {
		f, size := nextWire(message)
		if size == 0 || !do(f) {
			return false
		}
		message = message[size:]
	}
	return true
}

// nextWire reads a field; size is 0 if there is none. The values of the fixed kinds are not read: profiles have none.
func nextWire(b string) (f wireField, size int) {
	tag, at := uvarint(b)
	if at == 0 {
		return f, 0
	}
	f.number, f.kind = tag>>3, tag&7
	v, n := uvarint(b[at:])
	switch f.kind {
	case wireVarint:
		f.v, size = v, at+n
	case wireBytes:
		if v <= uint64(len(b)-at-n) {
			f.data, size = b[at+n:at+n+int(v)], at+n+int(v)
		}
	case wireFixed8:
		n, size = 1, at+8
	case wireFixed4:
		n, size = 1, at+4
	}
	if n == 0 || size > len(b) {
		return f, 0
	}
	return f, size
}

// numbers appends those of a repeated field, packed or not.
func (f wireField) numbers(to *[]uint64) bool {
	switch f.kind {
	case wireVarint:
		*to = append(*to, f.v)
	case wireBytes:
		for b := f.data; len(b) > 0; {
			v, n := uvarint(b)
			if n == 0 {
				return false
			}
			*to, b = append(*to, v), b[n:]
		}
	default:
		return false
	}
	return true
}

// uvarint is binary.Uvarint of a string, whose n is 0 where a number does not end. Bits beyond 64 are lost, as
// google/pprof has it.
func uvarint(b string) (v uint64, n int) {
	for n < len(b) && n < 10 {
		c := b[n]
		v |= uint64(c&0x7f) << (7 * n)
		if n++; c < 0x80 {
			return v, n
		}
	}
	return 0, 0
}
