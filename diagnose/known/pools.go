package known

const rows = "defer rows.Close() right after the error check, defer tx.Rollback() right after Begin, and " +
	"conn.Close() or Release: on every path, even if only the first row matters (QueryRow closes automatically)"

// pools are pools of connections: what waits for one, with the setting of how many there are, and the library's code,
// which has one.
func pools() []Row {
	return []Row{
		{Functions: []string{"database/sql.(*DB).conn"}, Library: []string{"database/sql."}, Roles: TakesPlace,
			What: "database/sql", Setting: "SetMaxOpenConns", Remedy: rows},
		// not puddle, which is below it: what others keep in one is a pool of their own (diagnose/chan_pool.go)
		{Functions: []string{"github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire"},
			Library: []string{"github.com/jackc/pgx/"}, Roles: TakesPlace, What: "pgxpool", Setting: "MaxConns",
			Remedy: rows},
		{Functions: []string{"github.com/gomodule/redigo/redis.(*Pool).waitVacantConn"},
			Library: []string{"github.com/gomodule/redigo/"}, Roles: TakesPlace, What: "redigo", Setting: "MaxActive",
			Remedy: "defer conn.Close() right after pool.Get, on every path"},
		{Functions: []string{"github.com/redis/go-redis/v9/internal/pool.(*ConnPool).waitTurn"},
			Library: []string{"github.com/redis/go-redis/"}, Roles: TakesPlace, What: "go-redis", Setting: "PoolSize",
			Remedy: "Close everything taken out of the pool: a Conn, a PubSub, a Tx"},
		{Functions: []string{"go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*pool).checkOut",
			"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology.(*pool).checkOut"},
			Library: []string{"go.mongodb.org/mongo-driver/"}, Roles: TakesPlace, What: "the MongoDB driver",
			Setting: "SetMaxPoolSize",
			Remedy:  "defer cursor.Close(ctx) right after the error check, and session.EndSession"},

		{Functions: []string{"database/sql.(*DB).Query", "database/sql.(*DB).QueryContext", "database/sql.(*Stmt).Query",
			"database/sql.(*Stmt).QueryContext", "github.com/jackc/pgx/v5/pgxpool.(*Pool).Query"}, Roles: KeepsOpen,
			What: "rows"},
		{Functions: []string{"net/http.(*Client)."}, Roles: KeepsOpen, What: "response"},
		{Functions: []string{"database/sql.(*DB).Begin", "database/sql.(*DB).BeginTx", "database/sql.(*Conn).BeginTx",
			"github.com/jackc/pgx/v5/pgxpool.(*Pool).Begin", "github.com/jackc/pgx/v5/pgxpool.(*Pool).BeginTx"},
			Roles: BeginsTransaction},

		{Functions: []string{"github.com/redis/go-redis/v9.(*Client).Watch",
			"github.com/redis/go-redis/v9.(*ClusterClient).Watch", "github.com/go-redis/redis/v8.(*Client).Watch",
			"go.etcd.io/etcd/client/v3/concurrency.NewSTM", "github.com/hashicorp/consul/api.(*KV).CAS"},
			Roles: TriesToChange},

		// the setting is that of how many stay open while nobody uses them
		{Functions: []string{"database/sql.(*DB).conn"}, Roles: OpensForCaller, What: "database/sql",
			Setting: "SetMaxIdleConns"},
		{Functions: []string{"github.com/gomodule/redigo/redis.(*Pool).get"}, Roles: OpensForCaller, What: "redigo",
			Setting: "MaxIdle"},
	}
}

// IdleSetting is the setting of how many connections a pool keeps while nobody uses them, of its function that opens
// one for whoever asks; "" of others.
func IdleSetting(name string) (setting, pool string) {
	if row, ok := with(OpensForCaller, name); ok {
		return row.Setting, row.What
	}
	return "", ""
}

// KeptOpen is what a function returns that keeps its connection until it is closed: "rows"; "" of most.
func KeptOpen(name string) string {
	for e := range entries(name) {
		if e.row.Roles&KeepsOpen != 0 && e.matches(name) {
			return e.row.What
		}
	}
	return ""
}
