package known

import (
	"slices"
	"strings"
)

// clients are the functions that ask another service or process.
func clients() []Row {
	const asks, awaits = CallsOut, CallsOut | HasOwnReader
	const plan = "the query's plan (EXPLAIN ANALYZE, with the values that are slow) shows an index that is missing, " +
		"rows that are read for nothing, and what is counted anew. If it is quick by hand, a prepared statement " +
		"keeps a plan for other values"
	return []Row{
		{Functions: []string{"net/http.(*Client).", "net/http.(*Transport).", "net/http.(*persistConn).roundTrip"},
			Roles: asks, What: "an HTTP request"},
		{Functions: []string{"net/http.(*persistConn).roundTrip", "net/http.(*http2ClientConn)."},
			Roles: AsksOne, What: "an HTTP request"},
		{Functions: []string{"google.golang.org/grpc.(*ClientConn).Invoke"}, Roles: AsksOne, What: "a gRPC call"},
		{Functions: []string{"database/sql.(*"}, Roles: awaits, What: "the database", Remedy: plan},
		{Functions: []string{"google.golang.org/grpc.(*ClientConn).", "google.golang.org/grpc.(*clientStream)."},
			Roles: asks, What: "a gRPC call"},
		{Functions: []string{"github.com/redis/go-redis/", "github.com/gomodule/redigo/"}, Roles: awaits, What: "Redis"},
		{Functions: []string{"github.com/bradfitz/gomemcache/"}, Roles: awaits, What: "memcached"},
		{Functions: []string{"github.com/jackc/pgx/"}, Roles: awaits, What: "the database", Remedy: plan},
		{Functions: []string{"go.mongodb.org/mongo-driver/"}, Roles: awaits, What: "MongoDB"},
		{Functions: []string{"net.(*Resolver)."}, Roles: asks, What: "a name's address"},
		{Functions: []string{"net.(*Dialer)."}, Roles: asks, What: "a connection"},
		{Functions: []string{"os/exec.(*Cmd)."}, Roles: asks, What: "another process"},
		{Functions: []string{"net/smtp."}, Roles: asks, What: "a mail server"},
		// types that are a single connection: who shares one needs a lock around it
		{Functions: []string{"github.com/gomodule/redigo/redis.(*conn).", "github.com/jackc/pgx/v5.(*Conn).",
			"github.com/jackc/pgx/v5/pgconn.(*PgConn).", "github.com/jackc/pgx/v4.(*Conn).", "net/textproto.(*",
			"net/smtp.(*Client).", "github.com/gorilla/websocket.(*Conn).", "github.com/coder/websocket.(*Conn).",
			"github.com/emersion/go-imap/client.(*Client).", "github.com/go-ldap/ldap/v3.(*Conn).",
			"github.com/jlaffaye/ftp.(*ServerConn)."}, Roles: OneConnection},
		// types that take such a connection out of a pool for a call: it is not what a lock around the call guards
		{Functions: []string{"github.com/gomodule/redigo/redis.(*activeConn).", "github.com/jackc/pgx/v5/pgxpool.",
			"github.com/jackc/pgx/v4/pgxpool.", "database/sql."}, Roles: FromPool},
		// a gRPC client connection's beginning and end, and what its own goroutines do for them
		{Functions: []string{"google.golang.org/grpc.NewClient*", "google.golang.org/grpc.Dial*",
			"google.golang.org/grpc.(*ClientConn).Close", "google.golang.org/grpc.(*addrConn).resetTransport*",
			"google.golang.org/grpc.(*addrConn).connect*", "google.golang.org/grpc.(*addrConn).tearDown",
			"google.golang.org/grpc.(*acBalancerWrapper).", "google.golang.org/grpc/internal/transport.NewHTTP2Client"},
			Roles: SetsUpClient},
	}
}

// AwaitsNews reports whether a function of a client waits until something comes: of Redis lists, streams and
// subscriptions, of change streams, notifications and consumers.
func AwaitsNews(name string) bool {
	for _, c := range []struct{ pkg, calls string }{
		{"github.com/redis/go-redis/",
			"BLPop BRPop BRPopLPush BLMove BLMPop BZPopMin BZPopMax BZMPop XRead XReadGroup Receive ReceiveMessage " +
				"ReceiveTimeout"},
		{"go.mongodb.org/mongo-driver/", "Next"}, // of a change stream or a tailable cursor; others end on their own
		{"github.com/jackc/pgx/", "WaitForNotification"},
		{"github.com/lib/pq", "NotificationChannel WaitForNotification"},
		{"github.com/segmentio/kafka-go", "FetchMessage ReadMessage ReadBatch"},
		{"github.com/twmb/franz-go", "PollFetches PollRecords"},
		{"github.com/nats-io/nats.go", "NextMsg NextMsgWithContext Fetch Next"},
	} {
		if strings.HasPrefix(name, c.pkg) &&
			slices.Contains(strings.Fields(c.calls), name[strings.LastIndexByte(name, '.')+1:]) {
			return true
		}
	}
	return false
}
