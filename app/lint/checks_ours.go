package lint

import (
	"slices"

	"github.com/gocasebook/casebook/app/lint/checks"
)

// formatting is what fmt and reflection do by themselves. What a value's own method takes, or writing the text, is to be
// paid without them, too.
var formatting = []string{"fmt.", "strconv.", "reflect.", "encoding/binary.", "unicode/", "errors.", "sync.", "internal/",
	"runtime.", "math", "slices.", "type:"}

// What these checks are about.
var (
	// What is printed is allocated by a concatenation, too.
	recorded = []string{"go.opentelemetry.io/otel/sdk/trace.(*recordingSpan)"}
	printed  = []string{"fmt.Sprintf", "fmt.Sprint", "fmt.Sprintln"}
	// What making the arguments of a log takes, and not what else they call: a value may be needed anyway.
	forLogs = []string{"", "runtime.", "internal/runtime/maps.", "fmt.", "encoding/json.Marshal", "log/slog.",
		"github.com/sirupsen/logrus.", "go.uber.org/zap.", "github.com/rs/zerolog.", "github.com/go-kit/log.",
		"github.com/hashicorp/go-hclog.", "github.com/go-logr/logr.", "github.com/davecgh/go-spew/spew."}
	// How drivers prepare a statement, those that keep them by their text (pgx) left out.
	prepares = []string{"github.com/mattn/go-sqlite3.(*SQLiteConn).prepare", "modernc.org/sqlite.(*conn).prepareV2",
		"github.com/glebarez/go-sqlite.(*conn).prepareV2", "github.com/lib/pq.(*conn).prepareTo",
		"github.com/go-sql-driver/mysql.(*mysqlConn).Prepare", "database/sql.ctxDriverPrepare"}
	codecs = []string{"encoding/json.", "encoding/xml.", "encoding/gob.", "gopkg.in/yaml", "go.yaml.in/yaml",
		"github.com/goccy/go-yaml", "github.com/BurntSushi/toml", "sigs.k8s.io/yaml", "github.com/ghodss/yaml",
		"github.com/json-iterator/go", "github.com/goccy/go-json", "github.com/vmihailenco/msgpack",
		"github.com/hashicorp/go-msgpack", "github.com/ugorji/go/codec", "github.com/fxamacher/cbor",
		"github.com/mitchellh/mapstructure", "github.com/go-viper/mapstructure"}
	// What they write to and read from, with the Decoder's own buffer: none of that is reflection.
	beyondCodecs = []string{"encoding/json.(*Decoder).refill", "compress/", "github.com/klauspost/compress/",
		"github.com/andybalholm/brotli.", "net.", "net/http.", "os.", "syscall.", "internal/poll.", "crypto/", "database/sql."}
	// How packages for databases ask them.
	asks = []string{"database/sql.(*DB).Query", "database/sql.(*DB).query", "database/sql.(*Tx).Query",
		"database/sql.(*Stmt).Query", "database/sql.(*Conn).Query", "database/sql.(*Rows).Next", "database/sql.(*Row).Scan",
		"github.com/jackc/pgx/v4.(*Conn).Query", "github.com/jackc/pgx/v5.(*Conn).Query",
		"github.com/redis/go-redis/v9.(*baseClient).process", "github.com/go-redis/redis/v8.(*baseClient).process",
		"go.mongodb.org/mongo-driver/mongo.(*Collection).Find", "go.mongodb.org/mongo-driver/mongo.(*Collection).Count",
		"go.etcd.io/bbolt.(*DB).View", "go.etcd.io/bbolt.(*DB).Begin", "github.com/dgraph-io/badger/v3.(*DB).View",
		"github.com/dgraph-io/badger/v4.(*DB).View"}
	// How a pool of database/sql opens one more connection, and what drivers do for that.
	connects = []string{"database/sql.(*DB).openNewConnection", "database/sql.dsnConnector.Connect",
		"github.com/lib/pq.(*Connector).Connect", "github.com/lib/pq.DialOpen", "github.com/go-sql-driver/mysql.(*connector).Connect",
		"github.com/jackc/pgx/v4/stdlib.(*connector).Connect", "github.com/jackc/pgx/v5/stdlib.(*connector).Connect",
		"github.com/jackc/pgx/v5/stdlib.connector.Connect", "github.com/mattn/go-sqlite3.(*SQLiteDriver).Open",
		"modernc.org/sqlite.(*Driver).Open"}
	stats   = []string{"os.Lstat", "os.lstat", "os.(*unixDirent).Info"}
	readAll = []string{"io.ReadAll", "io/ioutil.ReadAll"}
	// What a function allocates by itself: a heap profile leaves out the runtime's functions.
	growth = []string{"runtime.", "io.ReadAll", "slices.", "bytes."}
	// io.Copy's buffer is allocated below the ReadFrom or WriteTo of files and connections, too.
	copies = []string{"io.", "bufio.", "os.", "internal/poll.", "net.", "runtime.", "syscall."}
	coders = []string{"compress/flate.New", "compress/flate.new", "compress/flate.(*compressor).init", "compress/gzip.New",
		"compress/zlib.New", "github.com/klauspost/compress/flate.New", "github.com/klauspost/compress/flate.new",
		"github.com/klauspost/compress/gzip.New", "github.com/klauspost/compress/zlib.New",
		"github.com/klauspost/compress/zstd.New", "github.com/klauspost/compress/zstd.(*Encoder).init",
		"github.com/klauspost/compress/zstd.(*Encoder).Reset", "github.com/andybalholm/brotli.New",
		"github.com/andybalholm/brotli.(*Writer).Reset", "github.com/andybalholm/brotli.encoderInit"}
)

// leastSaved is the part of a struct that another order of its fields saves: at least a sixteenth, seldom a third.
const leastSaved = .15

// charges are those of package checks, by name. A check without is charged with all CPU and bytes of its lines.
func charges() map[string]Check {
	return map[string]Check{
		"regexpinfunc":   {By: onBoth, Calls: []string{"regexp."}},
		"templateinfunc": {By: onBoth, Calls: []string{"text/template.", "html/template."}},
		"lockoverio":     {By: onWait, Calls: []string{"sync.", "internal/sync."}, Related: true},
		"unboundedgo":    {Saves: .5, By: onBoth, Calls: []string{"runtime.newproc", "runtime.systemstack"}},
		"leakysender":    {By: onBoth, Calls: []string{"runtime.makechan", "runtime.newproc"}},
		"deferinloop":    {By: onBoth, Calls: []string{"runtime.deferproc"}},
		"concatinloop":   {By: onBoth, Calls: concat},
		// What a map grows by is allocated where entries are added, and the header where it is made.
		"maphint":     {By: onMemory, Calls: mapCalls, Saves: .5, Fills: true},
		"sprintfkey":  {By: onBoth, Calls: []string{"fmt."}, Within: formatting},
		"stringbytes": {By: onBoth, Calls: slices.Concat(bytesToString, stringToBytes, stringToRunes), Alone: true},
		"splitone":    {Saves: .65, By: onBoth, Calls: []string{"strings.", "bytes."}},
		"afterinloop": {By: onBoth, Calls: []string{"time."}},
		"selectspin":  {By: onCPU},
		"cachegrows":  {By: onLive, Saves: .1},
		"makeconst": {By: onBoth, Calls: []string{"", "runtime.makeslice", "runtime.makemap", "runtime.mallocgc", "runtime.newobject",
			"internal/runtime/maps."}},
		"fieldorder": {By: onLive, Calls: []string{"", "runtime.newobject"}, Saves: leastSaved},
		"boxinloop":  {By: onBoth, Calls: box},
		"fmtcall": {By: onBoth, Calls: []string{"fmt.", "reflect.", "encoding/binary."}, Within: formatting, Keeps: printed,
			Saves: .75},
		"largecopy":   {Saves: .5, By: onCPU, Calls: []string{"", "runtime.duffcopy", "runtime.memmove", "runtime.typedmemmove"}},
		"capturedvar": {By: onMemory, Calls: []string{"", "runtime.newobject"}},
		"timerinloop": {By: onBoth, Calls: []string{"time."}},
		// A buffer saves switches between goroutines, and not the wait for a receiver that is slower.
		"handoff":       {Saves: .65, By: onCPU, Calls: []string{"runtime.chansend", "runtime.selectgo"}},
		"writeinloop":   {By: onCPU, Calls: []string{"fmt.", "io.", "os.", "net.", "crypto/tls.", "syscall."}},
		"lockedcounter": {By: onCPUAndWait, Calls: []string{"sync.", "internal/sync."}},
		"bodyunread":    {By: onCPU, Calls: []string{"net/http."}},
		"bodyclose":     {By: onCPU, Calls: []string{"net/http."}},
		// What the request costs is not what a context saves: that is what a client that has left would still make of it.
		"requestnocontext": {By: onBoth, Saves: .02},
		"readallunmarshal": {By: onMemory, Calls: readAll, Within: growth},
		// What is read is allocated once even where its size is known; what ReadAll's first 512 bytes have room for never
		// grows.
		"readallsize":  {By: onMemory, Calls: readAll, Within: growth, Saves: .5, Least: 1 << 10},
		"coderpercall": {By: onBoth, Calls: coders, Reach: AtUses},
		"coderfield":   {By: onBoth, Calls: coders, Reach: InFile},
		"copybuffer":   {By: onMemory, Calls: []string{"io.Copy"}, Within: copies},
		"proxybuffer":  {By: onMemory, Calls: []string{"net/http/httputil.(*ReverseProxy).copyBuffer"}, Within: growth, Reach: InProgram},
		"buffergrows":  {By: onMemory, Calls: []string{"bytes.growSlice", "bytes.(*Buffer).grow"}, Reach: AtUses, Saves: .75},
		"buildergrows": {By: onMemory, Calls: []string{"strings.(*Builder)."}, Fills: true, Saves: .5},
		"appendgrows":  {By: onBoth, Calls: grow, Saves: .5, Fills: true},
		"decoderonce":  {By: onBoth, Calls: []string{"encoding/json.(*Decoder).refill", "encoding/json.NewDecoder"}, Reach: AtUses},
		"regexpagain":  {By: onBoth, Calls: []string{"regexp."}, Saves: .75},
		"labelmap": {By: onBoth, Calls: []string{"", "github.com/prometheus/client_golang/prometheus.", "runtime.",
			"internal/runtime/maps."}, Saves: .75},
		"spanattributes": {By: onBoth, Calls: []string{"", "go.opentelemetry.io/otel/attribute.",
			"go.opentelemetry.io/otel/trace.WithAttributes", "runtime."}, Unless: recorded},
		"queryagain":    {By: onBoth, Calls: []string{"net/url."}},
		"invariantcall": {By: onBoth, Named: true},
		"scratchpercall": {By: onMemory, Calls: []string{"", "runtime.makechan", "bufio.New", "encoding/xml.New",
			"encoding/csv.New", "math/rand.New"}},
		"tablepercall": {By: onBoth, Calls: []string{"", "runtime.", "internal/runtime/maps."}},
		// The copy alone: what encoding takes is to be paid as well without it.
		"marshalcopy": {By: onMemory, Calls: []string{"encoding/json.Marshal"},
			Within: []string{"runtime.", "slices.", "bytes."}},
		"jsonindent": {By: onBoth, Calls: []string{"encoding/json.appendIndent", "encoding/json.Indent"}, Reach: AtUses,
			Saves: .6}, // where nobody reads it
		"debugargs": {By: onBoth, Calls: forLogs, Quiet: true},
		"errorhot": {By: onBoth, Calls: []string{"fmt.Errorf", "github.com/pkg/errors.", "github.com/cockroachdb/errors.",
			"golang.org/x/xerrors."}, Saves: .5},
		// Of sorting by a function that compares texts the comparing is the most, and it stays.
		"sortslice": {By: onCPU, Calls: []string{"sort."}, Saves: .5,
			Within: []string{"sort.", "reflect.", "internal/reflectlite.", "runtime."}},
		// Part of the work stays under the lock: of a tenth of all waiting a hundredth is gained at least.
		"lockoverwork": {By: onWait, Calls: []string{"sync.", "internal/sync."}, Related: true, Works: true, Saves: .1},
		"queryinloop":  {By: onBoth, Saves: .5},
		"constmap":     {By: onBoth, Calls: []string{"", "runtime.", "internal/runtime/maps."}},
		"decodecopy":   {By: onMemory, Calls: stringToBytes},
		// A list that is short is searched as fast as an index: only what takes some percent is one that is not.
		"searchall":  {By: onCPU, Saves: .3},
		"loggerwith": {By: onBoth, Saves: .5},
		// Some lines of log are wanted.
		"loghot":  {By: onBoth, Saves: .3, Loud: true},
		"copyhot": {By: onBoth, Named: true, Saves: .3},
		// Who waits for a lock waits for another when that one is gone: of a tenth of all waiting it is worth a look.
		"lockheld":     {By: onWait, Calls: []string{"sync.", "internal/sync."}, Related: true, Queue: true, Saves: .05},
		"queryprepare": {By: onBoth, Calls: prepares, Reach: AtUses, Saves: .75},
		// A search for a text that must be there takes a fraction, where few have it.
		"regexphot": {By: onCPU, Calls: []string{"regexp."}, Saves: .3},
		// What is answered is to be encoded once.
		// Marshal's own copy is what it gives.
		"codechot":      {By: onBoth, Calls: codecs, Without: beyondCodecs, Keeps: []string{"encoding/json.Marshal"}, Saves: .15},
		"cipherpercall": {By: onBoth, Calls: []string{"crypto/aes.NewCipher", "crypto/cipher.NewGCM"}},
		"coderwrapped":  {By: onMemory, Named: true, Reach: InFile},
		"sortkept":      {By: onCPU, Calls: []string{"sort.", "slices."}, Saves: .75},
		"lookupinloop":  {By: onBoth, Calls: asks, Reach: AtUses, Saves: .5},
		"idleconns":     {By: onBoth, Calls: connects, Reach: InProgram},
		"walkstat":      {By: onBoth, Calls: stats, Reach: AtUses},
		"costlycall":    {By: onBoth, Named: true, Saves: .75},
		"countinloop":   {By: onCPU, Calls: []string{""}, Saves: .8},
		"walkagain":     {By: onBoth, Saves: .5},
		"replaceagain":  {By: onBoth, Calls: []string{"strings.", "bytes."}, Saves: .75},
		"jsonnested":    {By: onCPU, Calls: []string{"encoding/json.checkValid"}, Reach: AtUses},
	}
}

// ours are Casebook's own checks.
func ours() (out []Check) {
	charged := charges()
	for _, a := range checks.All() {
		c := charged[a.Name]
		if c.By == nil {
			c.By = onBoth
		}
		c.Analyzer, c.Name, c.Source, c.OnlyHot = a, a.Name, "casebook", checks.OnlyHot(a)
		out = append(out, c)
	}
	return out
}
