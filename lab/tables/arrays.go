package tables

import "context"

const arraysTitle = "Range over an array: a copy of it, or by pointer"

func arraysTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:  "arrays",
		Title: arraysTitle,
		Text: "CPU time for a loop over an array of 64 to 2,048 elements that reads a word of each: `range a` and " +
			"`range &a`. The first must behave as if the array was copied before the loop.",
		Columns: []string{"element", "elements", "range a", "range &a", "ratio", "article"},
		Said: "The article, on Go 1.17 and an i9 of 2.3 GHz: the pointer is 1.4 to 1.8 times as fast with elements " +
			"of 96 B, 2.3 to 3.2 times with 2 kB.",
		Holds: arraysHolds,
	}
	for _, e := range []struct {
		name  string
		walks []arrayWalk
		said  []string
	}{
		{"96 B", arrayWalks[small](), []string{"1.43×", "1.37×", "1.73×", "1.70×", "1.57×", "1.81×"}},
		{"2 kB", arrayWalks[large](), []string{"2.68×", "3.19×", "2.45×", "2.28×", "2.54×", "2.57×"}},
	} {
		for i, w := range e.walks {
			costs, err := p.measure(ctx, w.contestants())
			if err != nil {
				return Table{}, err
			}
			copied, pointer := middleOf(costs[0], cpuOf), middleOf(costs[1], cpuOf)
			t.Rows = append(t.Rows, []string{e.name, count(w.elements), copied.timed(), pointer.timed(),
				ratio(copied, pointer), e.said[i]})
		}
	}
	return t, nil
}

// An arrayWalk is the two loops over one array.
type arrayWalk struct {
	elements        int
	copied, pointer func() uint64
}

func (w arrayWalk) contestants() []contestant {
	return []contestant{
		repeat("range a", func(int) uint64 { return w.copied() }),
		repeat("range &a", func(int) uint64 { return w.pointer() }),
	}
}

// arrayWalks are one for each length: Go has no parameter for it.
func arrayWalks[T element]() []arrayWalk {
	return []arrayWalk{
		walkOf(64, fillArray(new([64]T)[:]), func(s []T) (func() uint64, func() uint64) {
			a := (*[64]T)(s)
			return func() uint64 { return copied64(a) }, func() uint64 { return pointer64(a) }
		}),
		walkOf(128, fillArray(new([128]T)[:]), func(s []T) (func() uint64, func() uint64) {
			a := (*[128]T)(s)
			return func() uint64 { return copied128(a) }, func() uint64 { return pointer128(a) }
		}),
		walkOf(256, fillArray(new([256]T)[:]), func(s []T) (func() uint64, func() uint64) {
			a := (*[256]T)(s)
			return func() uint64 { return copied256(a) }, func() uint64 { return pointer256(a) }
		}),
		walkOf(512, fillArray(new([512]T)[:]), func(s []T) (func() uint64, func() uint64) {
			a := (*[512]T)(s)
			return func() uint64 { return copied512(a) }, func() uint64 { return pointer512(a) }
		}),
		walkOf(1024, fillArray(new([1024]T)[:]), func(s []T) (func() uint64, func() uint64) {
			a := (*[1024]T)(s)
			return func() uint64 { return copied1024(a) }, func() uint64 { return pointer1024(a) }
		}),
		walkOf(2048, fillArray(new([2048]T)[:]), func(s []T) (func() uint64, func() uint64) {
			a := (*[2048]T)(s)
			return func() uint64 { return copied2048(a) }, func() uint64 { return pointer2048(a) }
		}),
	}
}

func walkOf[T element](elements int, s []T, loops func([]T) (func() uint64, func() uint64)) arrayWalk {
	copied, pointer := loops(s)
	return arrayWalk{elements, copied, pointer}
}

func fillArray[T element](s []T) []T {
	for i := range s {
		s[i][0], s[i][11] = uint64(i), uint64(3*i)
	}
	return s
}
