package known

// clients are the functions that ask another service or process.
func clients() []Row {
	const asks, awaits = CallsOut, CallsOut | HasOwnReader
	return []Row{
		{Functions: []string{"net/http.(*Client).", "net/http.(*Transport).", "net/http.(*persistConn).roundTrip"},
			Roles: asks, What: "an HTTP request"},
		{Functions: []string{"net/http.(*persistConn).roundTrip", "net/http.(*http2ClientConn)."},
			Roles: AsksOne, What: "an HTTP request"},
		{Functions: []string{"google.golang.org/grpc.(*ClientConn).Invoke"}, Roles: AsksOne, What: "a gRPC call"},
		{Functions: []string{"database/sql.(*"}, Roles: awaits, What: "the database"},
		{Functions: []string{"google.golang.org/grpc.(*ClientConn).", "google.golang.org/grpc.(*clientStream)."},
			Roles: asks, What: "a gRPC call"},
		{Functions: []string{"github.com/redis/go-redis/", "github.com/gomodule/redigo/"}, Roles: awaits, What: "Redis"},
		{Functions: []string{"github.com/bradfitz/gomemcache/"}, Roles: awaits, What: "memcached"},
		{Functions: []string{"github.com/jackc/pgx/"}, Roles: awaits, What: "the database"},
		{Functions: []string{"go.mongodb.org/mongo-driver/"}, Roles: awaits, What: "MongoDB"},
		{Functions: []string{"net.(*Resolver)."}, Roles: asks, What: "a name's address"},
		{Functions: []string{"net.(*Dialer)."}, Roles: asks, What: "a connection"},
		{Functions: []string{"os/exec.(*Cmd)."}, Roles: asks, What: "another process"},
		{Functions: []string{"net/smtp."}, Roles: asks, What: "a mail server"},
	}
}
