package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// ioScale is in shares of all CPU, of files and of connections.
func ioScale() Scale { return Scale{Worth: 0.10, Hurts: 0.40, Top: 0.80} }

// The lab's worker/write-per-field saved 1.2 times what is seen below the lines.
var ioGain = [2]float64{0.7, 1.2}

const ioGainWhy = "a buffer of 4 KiB turns dozens of small calls into one, and a goroutine in a system call gives up " +
	"its processor, a cost that does not show below the line"

const thrift = "github.com/apache/thrift/lib/go/thrift"

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
	rs := connectionRemedies()
	switch {
	case foreign && ofThrift(t.Func(maker)):
		return []Remedy{rs[2], rs[3]}
	case foreign:
		return []Remedy{rs[3], rs[5]}
	case !p.write:
		return []Remedy{rs[1]}
	case 2*p.flushed > p.ns:
		return []Remedy{rs[4], rs[5]}
	}
	return []Remedy{rs[0], rs[5]}
}

// connectionRemedies are those for connections; remedies picks by position.
func connectionRemedies() []Remedy {
	return []Remedy{
		byChange("net.(*conn).Write", "Put a buffer between", "At {line}: w := bufio.NewWriterSize(conn, 32<<10) once "+
			"for the connection, "+
			"write to w, and call w.Flush() at the end of each message, before its answer is awaited.",
			"a Flush that is forgotten leaves the other side waiting; unflushed data is lost with the connection"),
		byChange("net.(*conn).Read", "Read through a buffer", "At {line}: r := bufio.NewReaderSize(conn, 16<<10) once "+
			"for the connection, "+
			"and read everything from r (ReadByte, ReadString, io.ReadFull, binary.Read, bufio.Scanner).",
			"16 KiB a connection; nothing else may read from the connection itself"),
		byChange(thrift, "Wrap the socket in a TBufferedTransport", "Where the client is made for {line}: "+
			"thrift.NewTBufferedTransport(socket, 32<<10) around what NewTSocketConf gives, for reads and writes; "+
			"generated clients flush at the end of each call. NewTFramedTransportConf where the server frames as "+
			"well.",
			"32 KiB a connection each way"),
		byChange("", "Give the library a connection with a buffer", "Where the connection is given to the library "+
			"for {line}: look for its option of a buffered transport or write buffer, or give it a net.Conn whose "+
			"Write goes to a bufio.Writer and whose Read first flushes that, "+
			"and reads from a bufio.Reader.", "what is written last waits for a Flush"),
		byChange("bufio.(*Writer).Flush", "Flush once a message",
			"At {line}: write all lines or fields of a message to the bufio.Writer and call Flush at its end. Of "+
				"net/textproto, PrintfLine flushes each line: fmt.Fprintf(c.W, …) and DotWriter do not.",
			"the other side sees the message as a whole, and not as it grows"),
		byChange("net.(*conn).Write", "Build the message in memory", "Append its fields to one []byte or bytes.Buffer "+
			"and write that at once; "+
			"net.Buffers writes several slices with one call.", "the message is in memory as a whole"),
	}
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
