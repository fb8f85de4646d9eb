module github.com/gocasebook/casebook/remedy/cache/bench

go 1.25.0

replace (
	github.com/gocasebook/casebook => ../../..
	github.com/gocasebook/casebook/remedy => ../../
)

require (
	github.com/Yiling-J/theine-go v0.6.3
	github.com/dgraph-io/ristretto/v2 v2.4.2
	github.com/maypok86/otter/v2 v2.4.0
)

require github.com/golang/snappy v1.0.0 // indirect

require (
	github.com/VictoriaMetrics/fastcache v1.13.0
	github.com/allegro/bigcache/v3 v3.1.0
	github.com/bluele/gcache v0.0.2
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/coocood/freecache v1.2.7
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/elastic/go-freelru v0.16.0
	github.com/gocasebook/casebook/remedy v0.0.0
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/karlseguin/ccache/v3 v3.0.6
	github.com/klauspost/cpuid/v2 v2.0.9 // indirect
	github.com/zeebo/xxh3 v1.0.2
	golang.org/x/sys v0.36.0 // indirect
)
