package cache_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/remedy/cache"
)

type (
	name   string
	raw    []byte
	pair   struct{ A, B uint32 }
	padded struct {
		A uint8
		B uint32
	}
	deep struct {
		P [3]pair
		X float64
	}
	user struct {
		Name string
		Tags []string
	}
)

// keeps plays a few keys through a cache of their type.
func keeps[K, V any](t *testing.T, cfg cache.Config[K, V], keys []K, values []V) {
	t.Helper()
	t.Run(fmt.Sprintf("%T to %T", *new(K), *new(V)), func(t *testing.T) {
		c := mustNew(t, cfg)
		for i := range keys {
			if err := c.Set(keys[i], values[i]); err != nil {
				t.Fatal(err)
			}
		}
		for i := range keys {
			if got, ok := c.Get(keys[i]); !ok || fmt.Sprint(got) != fmt.Sprint(values[i]) {
				t.Errorf("Get(%v) = %v, %v, want %v", keys[i], got, ok, values[i])
			}
			if !c.Delete(keys[i]) {
				t.Errorf("Delete(%v) found nothing", keys[i])
			}
		}
		if n := c.Len(); n != 0 {
			t.Errorf("%d entries are left", n)
		}
	})
}

func jsonCodec[T any]() *cache.Codec[T] {
	return &cache.Codec[T]{
		Append: func(b []byte, v T) ([]byte, error) {
			j, err := json.Marshal(v)
			return append(b, j...), err
		},
		Decode: func(b []byte) (v T, err error) { return v, json.Unmarshal(b, &v) },
	}
}

func TestTypes(t *testing.T) {
	long := strings.Repeat("x", 300)
	keeps(t, cache.Config[string, string]{}, []string{"", "a", long}, []string{"", long, "b"})
	keeps(t, cache.Config[name, raw]{}, []name{"a", "b"}, []raw{raw("x"), raw(strings.Repeat("y", 70_000))})
	keeps(t, cache.Config[[]byte, bool]{}, [][]byte{{1}, {}, {1, 0}}, []bool{true, false, true})
	keeps(t, cache.Config[int8, int64]{}, []int8{-1, 0, 1}, []int64{-1 << 62, 0, 1})
	keeps(t, cache.Config[pair, padded]{}, []pair{{1, 2}, {2, 1}}, []padded{{1, 2}, {3, 4}})
	keeps(t, cache.Config[[4]uint16, deep]{}, [][4]uint16{{1}, {2}}, []deep{{X: 1.5}, {P: [3]pair{{1, 1}}}})
	keeps(t, cache.Config[struct{}, uint8]{}, []struct{}{{}}, []uint8{7})
	keeps(t, cache.Config[user, user]{KeyCodec: jsonCodec[user](), ValueCodec: jsonCodec[user]()},
		[]user{{Name: "a"}, {Name: "b", Tags: []string{"t"}}}, []user{{Name: "x"}, {Name: "y"}})
}

func refused[K, V any](t *testing.T, want string) {
	t.Helper()
	if _, err := cache.New(cache.Config[K, V]{}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("New[%T, %T]: %v, want an error with %q", *new(K), *new(V), err, want)
	}
}

func TestTypesRefused(t *testing.T) {
	refused[string, *int](t, "pointer")
	refused[string, user](t, "Name")
	refused[string, map[int]int](t, "codec")
	refused[any, int](t, "interface")
	refused[padded, int](t, "padding")
	refused[struct {
		A uint32
		B uint8
	}, int](t, "padding")
	refused[struct{ _ uint32 }, int](t, "padding")
	refused[float64, int](t, "-0")
}

// TestCodecFails: Set returns an error of a codec, and leaves no older value behind.
func TestCodecFails(t *testing.T) {
	codec := jsonCodec[int]()
	broken := false
	inner := codec.Append
	codec.Append = func(b []byte, v int) ([]byte, error) {
		if broken {
			return nil, errBackend
		}
		return inner(b, v)
	}
	codec.Decode = func(b []byte) (int, error) { return 0, errBackend }
	c := mustNew(t, cache.Config[string, int]{ValueCodec: codec})
	if err := c.Set("k", 1); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Get("k"); ok || c.Stats().Undecodable != 1 {
		t.Error("Get found what cannot be decoded, or did not count it")
	}
	broken = true
	if err := c.Set("k", 2); !errors.Is(err, errBackend) || c.Len() != 0 {
		t.Errorf("Set: %v, and %d entries, want %v and none", err, c.Len(), errBackend)
	}
}
