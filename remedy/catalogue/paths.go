package catalogue

// Import paths that several remedies name.
const (
	ownCache  = Own + "/remedy/cache"
	ownTune   = Own + "/remedy/gctune"
	ownBatch  = Own + "/remedy/batch"
	ownHedge  = Own + "/remedy/hedge"
	errgroup  = "golang.org/x/sync/errgroup"
	flight    = "golang.org/x/sync/singleflight"
	failsafe  = "github.com/failsafe-go/failsafe-go"
	freelru   = "github.com/elastic/go-freelru"
	otter     = "github.com/maypok86/otter/v2"
	xsync     = "github.com/puzpuzpuz/xsync/v4"
	compress  = "github.com/klauspost/compress"
	roaring   = "github.com/RoaringBitmap/roaring/v2"
	jsonV2    = "encoding/json/v2"
	pgx       = "github.com/jackc/pgx/v5"
	redis     = "github.com/redis/go-redis/v9"
	byteBufs  = "github.com/valyala/bytebufferpool"
	goleak    = "go.uber.org/goleak"
	runtimeGC = "runtime/debug"
)

// Prices that several remedies have.
const (
	none   = "none"
	shared = "code that keeps a reference after Put reads someone else's data"
	stale  = "cached data can be out of date"
	code   = "more code"
)
