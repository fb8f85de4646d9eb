package escape

import (
	"go/types"
	"sort"
)

// sizeClasses are those of the runtime's allocator (runtime/sizeclasses.go, the same from Go 1.16 to 1.27). Larger
// objects have pages of their own.
var sizeClasses = [...]int64{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320,
	352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072,
	3200, 3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384,
	18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768}

const (
	pageSize  = 8192
	tinyBlock = 16  // small objects without pointers share blocks of this
	noHeader  = 512 // larger objects with pointers begin with a word that says where those are
)

// rounded is what an object of some bytes takes.
func rounded(size int64, pointers bool) int64 {
	if size > noHeader && size <= sizeClasses[len(sizeClasses)-1]-8 && pointers {
		size += 8
	}
	if i := sort.Search(len(sizeClasses), func(i int) bool { return sizeClasses[i] >= size }); i < len(sizeClasses) {
		return sizeClasses[i]
	}
	return (size + pageSize - 1) / pageSize * pageSize
}

// fits reports whether sampled objects of this mean size may be of a type that takes size bytes. A profile has the size
// as it was asked for or rounded up, by version, and blocks that tiny objects share.
func fits(mean float64, size int64, pointers bool) bool {
	if size <= 0 || mean <= 0 {
		return false
	}
	if !pointers && size < tinyBlock && mean <= tinyBlock+0.5 {
		return true
	}
	return near(mean, float64(size)) || near(mean, float64(rounded(size, pointers)))
}

// A map's entries are in groups of 8, each with a word of control bytes; keys and elements that are larger are kept
// elsewhere (internal/runtime/maps, since Go 1.24).
const (
	groupSlots = 8
	maxSlot    = 128
)

// groupSize is the size of a group of a map's entries; 0 where it depends on a type parameter.
func groupSize(sizes types.Sizes, m *types.Map) int64 {
	key, elem := sizeOf(sizes, m.Key()), sizeOf(sizes, m.Elem())
	if isGeneric(m.Key(), 0) || isGeneric(m.Elem(), 0) {
		return 0
	}
	if key > maxSlot {
		key = 8
	}
	if elem > maxSlot {
		elem = 8
	}
	align := max(alignOf(sizes, m.Key()), alignOf(sizes, m.Elem()), 1)
	slot := (key + elem + align - 1) / align * align
	return 8 + groupSlots*slot
}

func alignOf(sizes types.Sizes, t types.Type) int64 {
	if sizeOf(sizes, t) == 0 {
		return 1
	}
	return sizes.Alignof(t)
}

// fitsMap reports whether sampled objects of this mean size may be the groups of a map that doubles.
func fitsMap(mean float64, group int64, pointers bool) bool {
	for size := group; group > 0 && float64(size) < 2*mean+1; size *= 2 {
		if fits(mean, size, pointers) {
			return true
		}
	}
	return false
}

// near allows for the rounding of scaled counts.
func near(a, b float64) bool { return a > b-0.5-b/500 && a < b+0.5+b/500 }

// hasPointers reports whether values of a type contain pointers.
func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.String || u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasPointers(f.Type()) {
				return true
			}
		}
		return false
	case *types.TypeParam:
		return true
	}
	return true
}

// sizeOf is the size of a type's values; 0 where it depends on a type parameter.
func sizeOf(sizes types.Sizes, t types.Type) int64 {
	if t == nil || sizes == nil || isGeneric(t, 0) {
		return 0
	}
	if b, ok := t.Underlying().(*types.Basic); ok && (b.Info()&types.IsUntyped != 0 || b.Kind() == types.Invalid) {
		if t = types.Default(t); t.Underlying() == b { // nil, and what does not type-check
			return 0
		}
	}
	return sizes.Sizeof(t)
}

// isGeneric reports whether a type's size depends on a type parameter.
func isGeneric(t types.Type, depth int) bool {
	if depth > 10 {
		return true
	}
	switch u := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		return u.TypeArgs().Len() > 0 && isGeneric(u.Underlying(), depth+1) || u.TypeParams().Len() > u.TypeArgs().Len()
	case *types.Array:
		return isGeneric(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if isGeneric(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}
