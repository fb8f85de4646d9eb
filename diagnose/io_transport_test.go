package diagnose

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

const (
	tlsWrite = kernelWrite + "crypto/tls.(*Conn).write crypto/tls.(*Conn).writeRecordLocked " +
		"crypto/tls.(*Conn).Write "
	thriftPkg    = "git.example.com/apache/thrift.git/lib/go/thrift"
	thriftSocket = kernelWrite + thriftPkg + ".(*TSocket).Write "
	handler      = "main.handle net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve"
)

// TestTransportOf: who decides how many bytes a call moves stands above the transport, on stacks of many libraries.
func TestTransportOf(t *testing.T) {
	for _, tt := range []struct {
		name, stack string
		use         transportUse
		above       string // the frame above the transport
	}{
		{"own line", kernelWrite + "main.send main.main", writesDirect, "main.send"},
		{"Fprintf", kernelWrite + "fmt.Fprintf main.send main.main", writesDirect, "fmt.Fprintf"},
		{"a line of a handler", kernelWrite + handler, writesDirect, "main.handle"},
		{"TLS", tlsWrite + "io.WriteString main.send main.main", writesDirect, "io.WriteString"},
		{"encryption", "crypto/internal/fips140/aes/gcm.gcmAesEnc crypto/tls.(*Conn).Write main.send main.main",
			writesDirect, "main.send"},
		{"a connection around another", kernelWrite + "main.(*countedConn).Write fmt.Fprintf main.send main.main",
			writesDirect, "fmt.Fprintf"},
		{"thrift", thriftSocket + thriftPkg + ".(*TBinaryProtocol).WriteI16 main.store main.main", writesDirect,
			thriftPkg + ".(*TBinaryProtocol).WriteI16"},
		{"a buffer that is flushed", kernelWrite + "bufio.(*Writer).Flush main.send main.main", writesFlushed,
			"bufio.(*Writer).Flush"},
		{"a buffer that is full", kernelWrite + "bufio.(*Writer).Flush bufio.(*Writer).Write main.send main.main",
			otherwise, ""},
		{"too much for a buffer", kernelWrite + "bufio.(*Writer).Write main.send main.main", otherwise, ""},
		{"a copied stream", kernelWrite + "io.copyBuffer io.Copy main.proxy main.main", otherwise, ""},
		{"a server's answer", serverAnswer, answers, ""},
		{"a server's answer over TLS", tlsWrite + "net/http.checkConnErrorWriter.Write bufio.(*Writer).Flush " +
			"net/http.(*response).finishRequest net/http.(*conn).serve", answers, ""},
		{"fasthttp's", kernelWrite + "bufio.(*Writer).Flush github.com/valyala/fasthttp.(*Server).serveConn",
			answers, ""},
		{"gRPC's", kernelWrite + "google.golang.org/grpc/internal/transport.(*bufWriter).flushKeepBuffer " +
			"google.golang.org/grpc/internal/transport.(*loopyWriter).run", answers, ""},
		{"an HTTP client's", kernelWrite + "net/http.persistConnWriter.Write bufio.(*Writer).Flush " +
			"net/http.(*persistConn).writeLoop", otherwise, ""},
		{"a read", kernelRead + "io.ReadAtLeast io.ReadFull main.next main.main", readsDirect, "io.ReadAtLeast"},
		{"a read through a buffer", kernelRead + "bufio.(*Reader).fill bufio.(*Reader).ReadSlice main.next main.main",
			readsBuffered, "bufio.(*Reader).fill"},
		{"a datagram", "internal/runtime/syscall/linux.Syscall6 syscall.recvfrom internal/poll.(*FD).ReadFrom " +
			"net.(*netFD).readFromInet4 net.(*UDPConn).ReadFromUDP main.next main.main", otherwise, ""},
		{"no connection", "main.work main.main", noTransport, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := Input{Evidence: []Evidence{cpuProfile(t, 10, map[string]int64{tt.stack: 200})},
				Build: casefile.Build{Module: "example.com/app"}}
			r, _ := read(t.Context(), in)
			s := r.cpu().set.Samples[0].Stack
			got := transportOf(r.Table, s)
			if got.use != tt.use {
				t.Fatalf("use is %d, want %d", got.use, tt.use)
			}
			if tt.above != "" && r.Table.Func(s[got.at+1]).Name != tt.above {
				t.Errorf("above the transport is %s, want %s", r.Table.Func(s[got.at+1]).Name, tt.above)
			}
		})
	}
}

// Stacks of a service that asks Redis, as Go 1.26 records them.
const (
	kernelWrite = "internal/runtime/syscall/linux.Syscall6 syscall.RawSyscall6 syscall.write " +
		"internal/poll.(*FD).Write net.(*netFD).Write net.(*conn).Write "
	kernelRead = "internal/runtime/syscall/linux.Syscall6 syscall.RawSyscall6 syscall.read " +
		"internal/poll.(*FD).Read net.(*netFD).Read net.(*conn).Read "
	redisClient = "bufio.(*Writer).Flush github.com/redis/go-redis/v9.(*baseClient).process " +
		"github.com/redis/go-redis/v9.cmdable.Incr "
	askingLine   = "main.count main.serve net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve"
	serverAnswer = kernelWrite +
		"net/http.checkConnErrorWriter.Write bufio.(*Writer).Flush net/http.(*response).finishRequest " +
		"net/http.(*conn).serve"
)
