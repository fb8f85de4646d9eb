package known

import (
	"slices"
	"strings"
)

// stores are the functions of caches and of stores on disk.
func stores() []Row {
	return []Row{
		{Work: LoadsForCache, Functions: []string{"golang.org/x/sync/singleflight.(*Group).Do",
			"golang.org/x/sync/singleflight.(*Group).doCall", "github.com/golang/groupcache.(*Group).load",
			"github.com/golang/groupcache.(*Group).getLocally",
			"github.com/golang/groupcache/singleflight.(*Group).Do", "github.com/bluele/gcache.(*baseCache).load",
			"github.com/karlseguin/ccache/v3.(*Cache[...]).Fetch",
			"github.com/karlseguin/ccache/v3.(*LayeredCache[...]).Fetch",
			"github.com/jellydator/ttlcache/v3.LoaderFunc[...].Load",
			"github.com/jellydator/ttlcache/v3.(*SuppressedLoader[...]).Load",
			"github.com/maypok86/otter/v2.(*cache[...]).loadOrJoin",
			"github.com/maypok86/otter/v2.(*group[...]).doCall",
			"github.com/gocasebook/casebook/remedy/cache.(*Cache[...]).await",
			"github.com/gocasebook/casebook/remedy/cache.(*Cache[...]).fly"}},
		{Work: MergesTables, Functions: []string{Pebble, GoLevelDB, Badger, "github.com/golang/leveldb",
			"github.com/dgraph-io/badger."}},
		{Work: CachesByPointer, Functions: []string{"github.com/bluele/gcache", "github.com/karlseguin/ccache",
			"github.com/hashicorp/golang-lru", "github.com/jellydator/ttlcache", "github.com/patrickmn/go-cache",
			"github.com/maypok86/otter", "github.com/Yiling-J/theine-go", "github.com/golang/groupcache/lru",
			"container/list"}},
		{Roles: RemovesOld, Functions: []string{"github.com/jellydator/ttlcache/v2.(*Cache).startExpirationProcessing",
			"github.com/jellydator/ttlcache/v3.(*Cache[...]).Start"}, Setting: "Start what removes old entries",
			Remedy: "what has expired is removed by Start alone, a loop that nobody runs here, or by DeleteExpired: go " +
				"cache.Start() right after New, and Stop where it ends"},
	}
}

// Remover is the row of the loop that removes what is old from a library's stores.
func Remover(module string) (row *Row, ok bool) {
	for i, r := range table() {
		if r.Roles&RemovesOld != 0 && slices.ContainsFunc(r.Functions, func(f string) bool {
			return strings.HasPrefix(f, module+".")
		}) {
			return &table()[i], true
		}
	}
	return nil, false
}
