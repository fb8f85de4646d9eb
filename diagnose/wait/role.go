package wait

import "strings"

// A Role is what is known of a function by its name: a row. Without a row a wait is still seen; a row adds a better
// word and the setting that governs it.
type Role struct {
	Func    string // the name's beginning, without type arguments
	Begins  bool   // a request is answered below it
	For     For    // what a goroutine inside of it waits for; Unknown if that is no wait
	What    string // "connection of database/sql"
	Setting string // that governs it: "SetMaxOpenConns"
	Advice  string // what to do beside the setting; "" for none
	Bare    bool   // of a primitive: what a place of it is good for is the caller's own affair
}

// roleOf is the row of a function; nil without one.
func roleOf(name string) *Role {
	if strings.Contains(name, "[") {
		name = withoutTypes(name)
	}
	for i := range roles {
		if strings.HasPrefix(name, roles[i].Func) {
			return &roles[i]
		}
	}
	return nil
}

// withoutTypes drops type arguments: "(*Pool[go.shape.*uint8]).Acquire" is "(*Pool).Acquire".
func withoutTypes(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		default:
			if depth == 0 {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// roles are tried in order.
var roles = []Role{
	{Func: "net/http.(*conn).serve", Begins: true},
	{Func: "net/http.(*http2serverConn).runHandler", Begins: true},
	{Func: "golang.org/x/net/http2.(*serverConn).runHandler", Begins: true},
	{Func: "google.golang.org/grpc.(*Server).handleStream", Begins: true},
	{Func: "github.com/valyala/fasthttp.(*Server).serveConn", Begins: true},
	{Func: "net/rpc.(*service).call", Begins: true},

	{Func: "net/http.(*Transport).getConn", For: Place, What: "connection of its HTTP client", Setting: "MaxConnsPerHost"},
	{Func: "net/http.(*http2ClientConn).awaitOpenSlotForStream", For: Place, What: "HTTP/2 stream",
		Setting: "MaxConcurrentStreams", Advice: "the server allows so many a connection: use several connections"},
	{Func: "golang.org/x/net/http2.(*ClientConn).awaitOpenSlotForStream", For: Place, What: "HTTP/2 stream",
		Setting: "MaxConcurrentStreams", Advice: "the server allows so many a connection: use several connections"},
	{Func: "google.golang.org/grpc/internal/transport.(*http2Client).NewStream", For: Place, What: "gRPC stream",
		Setting: "MaxConcurrentStreams", Advice: "the server allows so many a connection: use several connections, " +
			"and end streams that are not needed"},
	{Func: "database/sql.(*DB).conn", For: Place, What: "connection of database/sql", Setting: "SetMaxOpenConns"},
	{Func: "github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire", For: Place, What: "connection of pgxpool",
		Setting: "MaxConns"},
	{Func: "github.com/jackc/puddle/v2.(*Pool).acquire", For: Place, What: "resource of puddle", Setting: "MaxSize"},
	{Func: "github.com/gomodule/redigo/redis.(*Pool).waitVacantConn", For: Place, What: "connection of redigo",
		Setting: "MaxActive"},
	{Func: "github.com/redis/go-redis/v9/internal/pool.(*ConnPool).waitTurn", For: Place,
		What: "connection of go-redis", Setting: "PoolSize"},
	{Func: "go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*pool).checkOut", For: Place,
		What: "connection of the MongoDB driver", Setting: "SetMaxPoolSize"},
	{Func: "go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology.(*pool).checkOut", For: Place,
		What: "connection of the MongoDB driver", Setting: "SetMaxPoolSize"},
	{Func: "github.com/valyala/fasthttp.(*HostClient).acquireConn", For: Place, What: "connection of fasthttp's client",
		Setting: "MaxConnsPerHost"},
	{Func: "golang.org/x/sync/semaphore.(*Weighted).Acquire", For: Place, What: "place of a semaphore", Bare: true},
	{Func: "golang.org/x/sync/errgroup.(*Group).Go", For: Place, What: "place of an errgroup", Setting: "SetLimit",
		Bare: true},

	{Func: "golang.org/x/time/rate.(*Limiter).", For: Limiter, What: "rate.Limiter"},
	{Func: "k8s.io/client-go/util/flowcontrol.", For: Limiter, What: "client-go's rate limiter",
		Setting: "QPS and Burst of rest.Config"},
	{Func: "go.uber.org/ratelimit.", For: Limiter, What: "ratelimit"},
	{Func: "github.com/juju/ratelimit.", For: Limiter, What: "ratelimit"},

	{Func: "github.com/segmentio/kafka-go.(*Writer).WriteMessages", For: Gather, What: "kafka-go's writer",
		Setting: "BatchTimeout", Advice: "or Async, if a message may be lost"},

	{Func: "os/exec.(*Cmd).awaitGoroutines", For: Pipe, What: "the command's output", Setting: "WaitDelay",
		Advice: "or end the whole process group"},
	{Func: "os/exec.(*Cmd).", For: Child, What: "a command"},
	{Func: "os.(*Process).", For: Child, What: "a process"},

	{Func: "net/http.(*persistConn).roundTrip", For: Answer, What: "an HTTP request"},
	{Func: "net/http.(*http2ClientConn).", For: Answer, What: "an HTTP request"},
	{Func: "golang.org/x/net/http2.(*ClientConn).", For: Answer, What: "an HTTP request"},
	{Func: "google.golang.org/grpc.(*ClientConn).", For: Answer, What: "a gRPC call"},
	{Func: "google.golang.org/grpc.(*clientStream).", For: Answer, What: "a gRPC call"},
}
