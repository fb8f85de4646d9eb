package lint

import (
	"slices"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/app/lint/checks"
)

// A charge is what one of our checks is about; see Check.
type charge struct {
	by      []heat.Measure
	calls   []string
	within  []string
	without []string
	keeps   []string
	unless  []string
	reach   Reach
	saves   float64
	related bool
	fills   bool
	named   bool
	quiet   bool
	least   float64
	works   bool
	loud    bool
	alone   bool
	queue   bool
}

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
func charges() map[string]charge {
	return map[string]charge{
		"regexpinfunc":   {by: onBoth, calls: []string{"regexp."}},
		"templateinfunc": {by: onBoth, calls: []string{"text/template.", "html/template."}},
		"lockoverio":     {by: onWait, calls: []string{"sync.", "internal/sync."}, related: true},
		"unboundedgo":    {saves: .5, by: onBoth, calls: []string{"runtime.newproc", "runtime.systemstack"}},
		"leakysender":    {by: onBoth, calls: []string{"runtime.makechan", "runtime.newproc"}},
		"deferinloop":    {by: onBoth, calls: []string{"runtime.deferproc"}},
		"concatinloop":   {by: onBoth, calls: concat},
		// What a map grows by is allocated where entries are added, and the header where it is made.
		"maphint":     {by: onMemory, calls: mapCalls, saves: .5, fills: true},
		"sprintfkey":  {by: onBoth, calls: []string{"fmt."}, within: formatting},
		"stringbytes": {by: onBoth, calls: slices.Concat(bytesToString, stringToBytes, stringToRunes), alone: true},
		"splitone":    {saves: .65, by: onBoth, calls: []string{"strings.", "bytes."}},
		"afterinloop": {by: onBoth, calls: []string{"time."}},
		"selectspin":  {by: onCPU},
		"cachegrows":  {by: onLive, saves: .1},
		"makeconst": {by: onBoth, calls: []string{"", "runtime.makeslice", "runtime.makemap", "runtime.mallocgc", "runtime.newobject",
			"internal/runtime/maps."}},
		"fieldorder": {by: onLive, calls: []string{"", "runtime.newobject"}, saves: leastSaved},
		"boxinloop":  {by: onBoth, calls: box},
		"fmtcall": {by: onBoth, calls: []string{"fmt.", "reflect.", "encoding/binary."}, within: formatting, keeps: printed,
			saves: .75},
		"largecopy":   {saves: .5, by: onCPU, calls: []string{"", "runtime.duffcopy", "runtime.memmove", "runtime.typedmemmove"}},
		"capturedvar": {by: onMemory, calls: []string{"", "runtime.newobject"}},
		"timerinloop": {by: onBoth, calls: []string{"time."}},
		// A buffer saves switches between goroutines, and not the wait for a receiver that is slower.
		"handoff":       {saves: .65, by: onCPU, calls: []string{"runtime.chansend", "runtime.selectgo"}},
		"writeinloop":   {by: onCPU, calls: []string{"fmt.", "io.", "os.", "net.", "crypto/tls.", "syscall."}},
		"lockedcounter": {by: onCPUAndWait, calls: []string{"sync.", "internal/sync."}},
		"bodyunread":    {by: onCPU, calls: []string{"net/http."}},
		"bodyclose":     {by: onCPU, calls: []string{"net/http."}},
		"buildpercall":  {by: onBoth},
		// What the request costs is not what a context saves: that is what a client that has left would still make of it.
		"requestnocontext": {by: onBoth, saves: .02},
		"readallunmarshal": {by: onMemory, calls: readAll, within: growth},
		// What is read is allocated once even where its size is known; what ReadAll's first 512 bytes have room for never
		// grows.
		"readallsize":  {by: onMemory, calls: readAll, within: growth, saves: .5, least: 1 << 10},
		"coderpercall": {by: onBoth, calls: coders, reach: AtUses},
		"coderfield":   {by: onBoth, calls: coders, reach: InFile},
		"copybuffer":   {by: onMemory, calls: []string{"io.Copy"}, within: copies},
		"proxybuffer":  {by: onMemory, calls: []string{"net/http/httputil.(*ReverseProxy).copyBuffer"}, within: growth, reach: InProgram},
		"buffergrows":  {by: onMemory, calls: []string{"bytes.growSlice", "bytes.(*Buffer).grow"}, reach: AtUses, saves: .75},
		"buildergrows": {by: onMemory, calls: []string{"strings.(*Builder)."}, fills: true, saves: .5},
		"appendgrows":  {by: onBoth, calls: grow, saves: .5, fills: true},
		"decoderonce":  {by: onBoth, calls: []string{"encoding/json.(*Decoder).refill", "encoding/json.NewDecoder"}, reach: AtUses},
		"regexpagain":  {by: onBoth, calls: []string{"regexp."}, saves: .75},
		"labelmap": {by: onBoth, calls: []string{"", "github.com/prometheus/client_golang/prometheus.", "runtime.",
			"internal/runtime/maps."}, saves: .75},
		"spanattributes": {by: onBoth, calls: []string{"", "go.opentelemetry.io/otel/attribute.",
			"go.opentelemetry.io/otel/trace.WithAttributes", "runtime."}, unless: recorded},
		"queryagain":    {by: onBoth, calls: []string{"net/url."}},
		"invariantcall": {by: onBoth, named: true},
		"scratchpercall": {by: onMemory, calls: []string{"", "runtime.makechan", "bufio.New", "encoding/xml.New",
			"encoding/csv.New", "math/rand.New"}},
		"tablepercall": {by: onBoth, calls: []string{"", "runtime.", "internal/runtime/maps."}},
		// The copy alone: what encoding takes is to be paid as well without it.
		"marshalcopy": {by: onMemory, calls: []string{"encoding/json.Marshal"},
			within: []string{"runtime.", "slices.", "bytes."}},
		"jsonindent": {by: onBoth, calls: []string{"encoding/json.appendIndent", "encoding/json.Indent"}, reach: AtUses,
			saves: .6}, // where nobody reads it
		"debugargs": {by: onBoth, calls: forLogs, quiet: true},
		"errorhot": {by: onBoth, calls: []string{"fmt.Errorf", "github.com/pkg/errors.", "github.com/cockroachdb/errors.",
			"golang.org/x/xerrors."}, saves: .5},
		// Of sorting by a function that compares texts the comparing is the most, and it stays.
		"sortslice": {by: onCPU, calls: []string{"sort."}, saves: .5,
			within: []string{"sort.", "reflect.", "internal/reflectlite.", "runtime."}},
		// Part of the work stays under the lock: of a tenth of all waiting a hundredth is gained at least.
		"lockoverwork":  {by: onWait, calls: []string{"sync.", "internal/sync."}, related: true, works: true, saves: .1},
		"queryinloop":   {by: onBoth, saves: .5},
		"stringcompare": {by: onBoth},
		"constmap":      {by: onBoth, calls: []string{"", "runtime.", "internal/runtime/maps."}},
		"decodecopy":    {by: onMemory, calls: stringToBytes},
		// A list that is short is searched as fast as an index: only what takes some percent is one that is not.
		"searchall":  {by: onCPU, saves: .3},
		"loggerwith": {by: onBoth, saves: .5},
		// Some lines of log are wanted.
		"loghot":  {by: onBoth, saves: .3, loud: true},
		"copyhot": {by: onBoth, named: true, saves: .3},
		// Who waits for a lock waits for another when that one is gone: of a tenth of all waiting it is worth a look.
		"lockheld":     {by: onWait, calls: []string{"sync.", "internal/sync."}, related: true, queue: true, saves: .05},
		"queryprepare": {by: onBoth, calls: prepares, reach: AtUses, saves: .75},
		// A search for a text that must be there takes a fraction, where few have it.
		"regexphot": {by: onCPU, calls: []string{"regexp."}, saves: .3},
		// What is answered is to be encoded once.
		// Marshal's own copy is what it gives.
		"codechot":      {by: onBoth, calls: codecs, without: beyondCodecs, keeps: []string{"encoding/json.Marshal"}, saves: .15},
		"cipherpercall": {by: onBoth, calls: []string{"crypto/aes.NewCipher", "crypto/cipher.NewGCM"}},
		"coderwrapped":  {by: onMemory, named: true, reach: InFile},
		"sortkept":      {by: onCPU, calls: []string{"sort.", "slices."}, saves: .75},
		"lookupinloop":  {by: onBoth, calls: asks, reach: AtUses, saves: .5},
		"idleconns":     {by: onBoth, calls: connects, reach: InProgram},
		"walkstat":      {by: onBoth, calls: stats, reach: AtUses},
		"costlycall":    {by: onBoth, named: true, saves: .75},
		"usedpart":      {by: onBoth},
		"countinloop":   {by: onCPU, calls: []string{""}, saves: .8},
		"walkagain":     {by: onBoth, saves: .5},
		"replaceagain":  {by: onBoth, calls: []string{"strings.", "bytes."}, saves: .75},
		"jsonnested":    {by: onCPU, calls: []string{"encoding/json.checkValid"}, reach: AtUses},
	}
}

// ours are Casebook's own checks.
func ours() (out []Check) {
	by := charges()
	for _, a := range checks.All() {
		c, ok := by[a.Name]
		if !ok {
			c.by = onBoth
		}
		out = append(out, Check{Analyzer: a, Name: a.Name, Source: "casebook", By: c.by, Calls: c.calls,
			Within: c.within, Without: c.without, Keeps: c.keeps, Unless: c.unless, Reach: c.reach, Saves: c.saves, Related: c.related,
			Fills: c.fills, Named: c.named, Quiet: c.quiet, Least: c.least, Works: c.works, Loud: c.loud, Queue: c.queue,
			Alone: c.alone, OnlyHot: checks.OnlyHot(a)})
	}
	return out
}
