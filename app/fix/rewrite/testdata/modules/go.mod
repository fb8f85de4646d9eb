module example.com/modules

go 1.26

require (
	github.com/bluele/gcache v0.0.2
	github.com/gocasebook/casebook/remedy v0.0.0
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/klauspost/compress v1.20.3
	github.com/patrickmn/go-cache v2.1.0+incompatible
)

replace (
	github.com/gocasebook/casebook => ../../../../..
	github.com/gocasebook/casebook/remedy => ../../../../../remedy
)
