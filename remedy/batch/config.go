package batch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// A Config says what a Batcher does with items of type T, and its bounds. Only Flush is required. A zero field means
// its default. For values that make no sense New returns an error that names the field.
type Config[T any] struct {
	// Flush does the operation for a batch: at least one item, in the order in which they were accepted. It owns the
	// slice. It returns nil when all is well, [Errors] to say how each item went, and any other error for all of them.
	// A panic becomes the error of all items (*PanicError).
	//
	// The context has no values and no deadline: the batch belongs to many callers. It is done when none of them waits
	// any longer, or when Stop gave up. Flush must respect it, or limit its own time. It must not call Add, Put or Stop
	// of its own Batcher: with all flushes busy they would wait for each other.
	Flush func(ctx context.Context, items []T) error

	// MaxItems is how many items a batch holds at most. Default DefaultMaxItems.
	MaxItems int

	// MaxBytes is how many bytes, by Size, a batch holds at most. A larger item is rejected with ErrTooLarge.
	// Zero means that bytes are not counted.
	MaxBytes int64

	// Size is how many bytes an item counts for. It is called once per item, by the goroutine that adds it. It may be
	// nil without MaxBytes, and if T is string or []byte, which count by their length.
	Size func(item T) int

	// MaxDelay bounds how long an item waits for companions. Default DefaultMaxDelay; NoDelay: not at all.
	MaxDelay time.Duration

	// MaxFlushes is how many calls of Flush may run at once. Default 1, which keeps items in order.
	MaxFlushes int

	// MaxQueued is how much may wait in addition to the batches being flushed, in full batches: MaxQueued × MaxItems
	// items, and MaxQueued × MaxBytes bytes. Beyond that Add and Put wait. Default DefaultMaxQueued.
	MaxQueued int

	// OnError gets each item of Put whose flush failed; nothing else reports it. It must be quick, because the results
	// of the batch wait for it, and may be called by several goroutines at once. A panic in it is counted
	// (Stats.Panics) and goes no further. Default: failures are counted only.
	OnError func(item T, err error)
}

// Defaults of Config's zero fields.
const (
	// DefaultMaxItems reduces the fixed part of an operation to 0.4 %; more items hardly reduce it further.
	DefaultMaxItems = 256
	// DefaultMaxDelay is twice the grain of Go's timers on an idle Linux system, and little compared with a request
	// over a network.
	DefaultMaxDelay = 2 * time.Millisecond
	// DefaultMaxQueued bridges a flush that takes several times as long as usual.
	DefaultMaxQueued = 4

	// NoDelay is a MaxDelay: a batch is only what gathered while other flushes were running.
	NoDelay time.Duration = -1
)

// The bounds are far beyond any sensible value: anything above is a wrong unit.
const (
	limitItems   = 1 << 20
	limitBytes   = 1 << 40
	limitFlushes = 1 << 10
	limitQueued  = 1 << 16
	limitDelay   = time.Minute
)

// validate names the fields at fault.
func (c Config[T]) validate() error {
	var errs []error
	if c.Flush == nil {
		errs = append(errs, errors.New("field Flush is nil: give the function that does the operation for a batch"))
	}
	if c.MaxBytes > 0 && c.Size == nil {
		errs = append(errs, fmt.Errorf("field Size is nil, but MaxBytes is %d: say how many bytes an item has",
			c.MaxBytes))
	}
	if c.MaxDelay != NoDelay {
		errs = append(errs, within("MaxDelay", c.MaxDelay, limitDelay))
	}
	errs = append(errs,
		within("MaxItems", c.MaxItems, limitItems),
		within("MaxBytes", c.MaxBytes, limitBytes),
		within("MaxFlushes", c.MaxFlushes, limitFlushes),
		within("MaxQueued", c.MaxQueued, limitQueued))
	return errors.Join(errs...)
}

func within[N int | int64 | time.Duration](field string, v, limit N) error {
	if v < 0 || v > limit {
		return fmt.Errorf("field %s is %v, want 0 (the default) to %v", field, v, limit)
	}
	return nil
}

func (c Config[T]) withDefaults() Config[T] {
	if c.Size == nil {
		c.Size = lengthOf[T]()
	}
	c.MaxItems = orDefault(c.MaxItems, DefaultMaxItems)
	c.MaxDelay = orDefault(c.MaxDelay, DefaultMaxDelay)
	c.MaxFlushes = orDefault(c.MaxFlushes, 1)
	c.MaxQueued = orDefault(c.MaxQueued, DefaultMaxQueued)
	return c
}

func orDefault[N int | time.Duration](v, def N) N {
	if v == 0 {
		return def
	}
	return v
}

// lengthOf is the Size of strings and byte slices, and nil for other types.
func lengthOf[T any]() func(T) int {
	for _, f := range []any{
		func(s string) int { return len(s) },
		func(b []byte) int { return len(b) },
	} {
		if size, ok := f.(func(T) int); ok {
			return size
		}
	}
	return nil
}

// size is what an item counts for; 0 if bytes are not counted. It says why an item cannot be accepted.
func (c *Config[T]) size(item T) (int64, error) {
	if c.MaxBytes == 0 {
		return 0, nil
	}
	n := int64(c.Size(item))
	switch {
	case n < 0:
		return 0, fmt.Errorf("batch: Config.Size says that the item has %d bytes: it must not be negative", n)
	case n > c.MaxBytes:
		return 0, fmt.Errorf("%w: it has %d bytes, Config.MaxBytes allows %d: do it without a batch, or split it",
			ErrTooLarge, n, c.MaxBytes)
	}
	return n, nil
}

// queueItems and queueBytes limit what waits in addition to the batches being flushed.
func (c *Config[T]) queueItems() int { return c.MaxQueued * min(c.MaxItems, math.MaxInt/c.MaxQueued) }

func (c *Config[T]) queueBytes() int64 { return int64(c.MaxQueued) * c.MaxBytes }
