package known

// waits are the functions in which goroutines wait for what the program itself, or a library's setting, makes them wait
// for. What waits for the answer of a peer has a row, too, so that it is told from a place of the peer's client.
func waits() []Row {
	const severalConnections = "the server allows so many a connection: use several connections"
	return []Row{
		{Functions: []string{"net/http.(*Transport).getConn"}, Roles: AwaitsPlace, What: "connection of its HTTP client",
			Setting: "MaxConnsPerHost"},
		{Functions: []string{"net/http.(*http2ClientConn).awaitOpenSlotForStream*",
			"golang.org/x/net/http2.(*ClientConn).awaitOpenSlotForStream*"}, Roles: AwaitsPlace, What: "HTTP/2 stream",
			Setting: "MaxConcurrentStreams", Remedy: severalConnections},
		{Functions: []string{"google.golang.org/grpc/internal/transport.(*http2Client).NewStream"}, Roles: AwaitsPlace,
			What: "gRPC stream", Setting: "MaxConcurrentStreams",
			Remedy: severalConnections + ", and end streams that are not needed"},
		{Functions: []string{"database/sql.(*DB).conn"}, Roles: AwaitsPlace, What: "connection of database/sql",
			Setting: "SetMaxOpenConns"},
		// below it a driver waits for a lock of the database: those that have one are in their transactions
		{Functions: []string{"database/sql.ctxDriverBegin"}, Roles: AwaitsPlace, What: "transaction of database/sql"},
		{Functions: []string{"github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire"}, Roles: AwaitsPlace,
			What: "connection of pgxpool", Setting: "MaxConns"},
		{Functions: []string{"github.com/jackc/puddle/v2.(*Pool).acquire"}, Roles: AwaitsPlace,
			What: "resource of puddle", Setting: "MaxSize"},
		{Functions: []string{"github.com/gomodule/redigo/redis.(*Pool).waitVacantConn"}, Roles: AwaitsPlace,
			What: "connection of redigo", Setting: "MaxActive"},
		{Functions: []string{"github.com/redis/go-redis/v9/internal/pool.(*ConnPool).waitTurn"}, Roles: AwaitsPlace,
			What: "connection of go-redis", Setting: "PoolSize"},
		{Functions: []string{"go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*pool).checkOut",
			"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology.(*pool).checkOut"}, Roles: AwaitsPlace,
			What: "connection of the MongoDB driver", Setting: "SetMaxPoolSize"},
		{Functions: []string{"github.com/valyala/fasthttp.(*HostClient).acquireConn"}, Roles: AwaitsPlace,
			What: "connection of fasthttp's client", Setting: "MaxConnsPerHost"},
		{Functions: []string{"golang.org/x/sync/semaphore.(*Weighted).Acquire"}, Roles: AwaitsPlace | IsPrimitive,
			What: "place of a semaphore", Remedy: "it is first come, first served, so that who acquires a large part of it " +
				"stops all behind: give large ones a semaphore of their own, or less weight"},
		{Functions: []string{"golang.org/x/sync/errgroup.(*Group).Go"}, Roles: AwaitsPlace | IsPrimitive,
			What: "place of an errgroup", Setting: "SetLimit"},

		{Functions: []string{"golang.org/x/time/rate.(*Limiter)."}, Roles: AwaitsTurn, What: "rate.Limiter"},
		{Functions: []string{"k8s.io/client-go/util/flowcontrol."}, Roles: AwaitsTurn, What: "client-go's rate limiter",
			Setting: "QPS and Burst of rest.Config"},
		{Functions: []string{"go.uber.org/ratelimit.", "github.com/juju/ratelimit."}, Roles: AwaitsTurn, What: "ratelimit"},

		{Functions: []string{"github.com/segmentio/kafka-go.(*Writer).WriteMessages"}, Roles: AwaitsBatch,
			What: "kafka-go's writer", Setting: "BatchTimeout", Remedy: "or Async, if a message may be lost"},

		{Functions: []string{"net/http.(*persistConn).waitForContinue",
			"net/http.(*persistConn).writeLoop.(*persistConn).waitForContinue"}, Roles: AwaitsBatch,
			What: "the server's 100 Continue", Setting: "ExpectContinueTimeout",
			Remedy: "leave out the header Expect: 100-continue"},

		{Functions: []string{"os/exec.(*Cmd).awaitGoroutines"}, Roles: AwaitsOutput, What: "the command's output",
			Setting: "WaitDelay", Remedy: "or end the whole process group"},
		{Functions: []string{"os/exec.(*Cmd)."}, Roles: AwaitsChild, What: "a command"},
		{Functions: []string{"os.(*Process)."}, Roles: AwaitsChild, What: "a process"},

		{Functions: []string{"net/http.(*http2clientStream).awaitFlowControl",
			"golang.org/x/net/http2.(*clientStream).awaitFlowControl"}, Roles: AwaitsReader, What: "the window of HTTP/2",
			Setting: "MaxReceiveBufferPerConnection of http.HTTP2Config"},
		{Functions: []string{"google.golang.org/grpc/internal/transport.(*writeQuota).get"}, Roles: AwaitsReader,
			What: "the window of a gRPC stream"},
		{Functions: []string{"net/http.(*persistConn).roundTrip", "net/http.(*http2ClientConn).",
			"golang.org/x/net/http2.(*ClientConn)."}, Roles: AwaitsAnswer, What: "an HTTP request"},
		{Functions: []string{"google.golang.org/grpc.(*ClientConn).", "google.golang.org/grpc.(*clientStream)."},
			Roles: AwaitsAnswer, What: "a gRPC call"},
	}
}

// Awaits is the first row that says what a goroutine inside of a function waits for; false for most.
func Awaits(name string) (row *Row, ok bool) {
	return with(AwaitsPlace|AwaitsTurn|AwaitsBatch|AwaitsOutput|AwaitsChild|AwaitsReader|AwaitsAnswer, name)
}

// timers are the functions that make what stays until it fires, is stopped or cancelled.
func timers() []Row {
	return []Row{
		{Functions: []string{"time.NewTimer", "time.newTimer", "time.AfterFunc", "time.After"}, Roles: MakesTimer,
			Work: StartsTimer},
		{Functions: []string{"time.NewTicker", "time.Tick"}, Roles: MakesTimer | Ticks, Work: StartsTimer},
		{Functions: []string{"context.WithDeadline", "context.WithTimeout", "context.WithDeadlineCause",
			"context.WithTimeoutCause"}, Roles: MakesTimer | MakesContext, Work: StartsTimer},
		{Functions: []string{"context.WithCancel", "context.WithCancelCause", "context.withCancel", "context.AfterFunc"},
			Roles: MakesContext},
		{Functions: []string{"context.(*cancelCtx).propagateCancel"}, Roles: MakesContext | KeepsContext},
		{Functions: []string{"runtime.(*timers).run"}, Roles: RunsTimers},
	}
}
