package phones

// noCache keeps nothing: every question goes upstream.
type noCache[K key] struct{}

func (noCache[K]) Get(K) (Phone, bool) { return 0, false }
func (noCache[K]) Set(K, Phone)        {}
func (noCache[K]) Len() int            { return 0 }
func (noCache[K]) Close()              {}
