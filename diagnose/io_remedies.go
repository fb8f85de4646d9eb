package diagnose

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// ioScale is in shares of all CPU, of files and of connections.
func ioScale() Scale { return Scale{Worth: 0.10, Hurts: 0.40, Top: 0.80} }

// The lab's worker/write-per-field saved 1.2 times what is seen below the lines.
var ioGain = [2]float64{0.7, 1.2}

const ioGainWhy = "a buffer of 4 KiB turns dozens of small calls into one, and a goroutine in a system call gives up " +
	"its processor, a cost that does not show below the line"

// thriftProtocol reports whether a function is of a protocol that writes and reads fields one by one. A transport with
// a buffer does not write below one: TBufferedTransport has a bufio.ReadWriter, and TFramedTransport, THeaderTransport
// and TZlibTransport write what they have gathered when the client flushes them, after the last field.
func thriftProtocol(name string) bool {
	_, method, ok := strings.Cut(name, "/thrift.(*T")
	return ok && strings.Contains(method, "Protocol).")
}

// remedies are for what the calls are made by.
func (p *pieces) remedies(t *stacks.Table) []Remedy {
	maker, foreign := heaviest(p.makers)
	foreign = foreign && 2*p.foreign > p.ns
	buffer := p.buffer()
	switch {
	case foreign && ofThrift(t.Func(maker)):
		return []Remedy{bufferThrift(buffer), bufferBelow()}
	case foreign:
		return []Remedy{bufferBelow(), buildInMemory()}
	case !p.write:
		return []Remedy{bufferReads(buffer)}
	case 2*p.flushed > p.ns:
		return []Remedy{flushOnce(), buildInMemory()}
	}
	return []Remedy{bufferWrites(buffer), buildInMemory()}
}

// usualBuffer is that of a connection whose messages are of unknown size, in bytes.
const usualBuffer = 32 << 10

// buffer is the size for messages of the size that the evidence tells: twice that of one, from what bufio takes by
// itself to where a system call costs little of what it moves.
func (p *pieces) buffer() (bytes int) {
	times := p.perRequest()
	if times == 0 {
		times = p.perCause()
	}
	message := times * p.size()
	if message == 0 {
		return usualBuffer
	}
	return min(max(powerAbove(2*message), 4<<10), 64<<10)
}

// connectionRemedies are all, as the detector's documentation lists them.
func connectionRemedies() []Remedy {
	return []Remedy{bufferWrites(usualBuffer), bufferReads(usualBuffer), bufferThrift(usualBuffer), bufferBelow(),
		flushOnce(), buildInMemory()}
}

func bufferWrites(bytes int) Remedy {
	return byChange(known.ConnWrite, "Put a buffer between", fmt.Sprintf("At {line}: w := "+
		"bufio.NewWriterSize(conn, %d<<10) once for the connection, write to w, and call w.Flush() at the end of "+
		"each message, before its answer is awaited.", bytes>>10),
		"a Flush that is forgotten leaves the other side waiting; unflushed data is lost with the connection")
}

func bufferReads(bytes int) Remedy {
	return byChange(known.ConnRead, "Read through a buffer", fmt.Sprintf("At {line}: r := "+
		"bufio.NewReaderSize(conn, %d<<10) once for the connection, and read everything from r (ReadByte, "+
		"ReadString, io.ReadFull, binary.Read, bufio.Scanner).", bytes>>10),
		fmt.Sprintf("%d KiB a connection; nothing else may read from the connection itself", bytes>>10))
}

func bufferThrift(bytes int) Remedy {
	return byChange(known.Thrift, "Wrap the socket in a TBufferedTransport", fmt.Sprintf("Where the client is made for "+
		"{line}: thrift.NewTBufferedTransport(socket, %d<<10) around what NewTSocketConf gives, for reads and writes. "+
		"Generated clients flush at the end of each call. NewTFramedTransportConf where the server frames as well.",
		bytes>>10), fmt.Sprintf("%d KiB a connection each way", bytes>>10))
}

func bufferBelow() Remedy {
	return byChange("", "Give the library a connection with a buffer", "Where the connection is given to the library "+
		"for {line}: look for its option of a buffered transport or write buffer, or give it a net.Conn whose "+
		"Write goes to a bufio.Writer and whose Read first flushes that, and reads from a bufio.Reader.",
		"what is written last waits for a Flush")
}

func flushOnce() Remedy {
	return byChange(known.WriterFlush, "Flush once a message", "At {line}: write all lines or fields of a "+
		"message to the bufio.Writer and call Flush at its end. Of net/textproto, PrintfLine flushes each line: "+
		"fmt.Fprintf(c.W, …) and DotWriter do not.", "the other side sees the message as a whole, and not as it grows")
}

func buildInMemory() Remedy {
	return byChange(known.ConnWrite, "Build the message in memory", "Append its fields to one []byte or "+
		"bytes.Buffer and write that at once; net.Buffers writes several slices with one call.",
		"the message is in memory as a whole")
}

// chosen is the user's line that gave a library its connection, where a profile happens to show it: it runs once for a
// connection.
func chosen(r *Reading, pkg string) (stacks.FrameID, bool) {
	lines := map[stacks.FrameID]float64{}
	for _, set := range r.All(casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.CPU) {
		for i := range set.Samples {
			stack := set.Samples[i].Stack
			line, u := r.Table.UserFrame(stack)
			if u > 0 && makesTransport(r.Table.Func(stack[u-1]), pkg) {
				lines[line]++
			}
		}
	}
	return heaviest(lines)
}

// makesTransport reports whether a function is a constructor of a package's transports: NewTSocketConf, DialTimeout.
func makesTransport(f *stacks.Func, pkg string) bool {
	name := strings.TrimPrefix(f.Name, pkg+".")
	if f.Package != pkg || strings.HasPrefix(name, "(") {
		return false
	}
	switch {
	case strings.HasPrefix(name, "Dial"):
		return true
	case strings.HasPrefix(name, "New"), strings.HasPrefix(name, "Open"):
		return hasAny(name, "Socket", "Transport", "Conn", "Dial")
	}
	return false
}

func hasAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
