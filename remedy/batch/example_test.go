package batch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/gocasebook/casebook/remedy/batch"
)

// Many goroutines insert one row each; the database gets few statements. Every goroutine gets the result for its own
// row.
func Example() {
	inserts, err := batch.New(batch.Config[string]{
		MaxItems: 100,
		MaxDelay: 5 * time.Millisecond,
		Flush: func(ctx context.Context, rows []string) error {
			errs := make(batch.Errors, len(rows)) // INSERT … VALUES (…), (…), …
			for i, row := range rows {
				if row == "" {
					errs[i] = errors.New("a name is missing")
				}
			}
			return errs
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	var wg sync.WaitGroup
	for _, row := range []string{"Ada", "", "Rob"} {
		wg.Go(func() {
			if err := inserts.Add(ctx, row); err != nil {
				fmt.Printf("%q: %v\n", row, err)
			}
		})
	}
	wg.Wait()
	fmt.Println(inserts.Stop(ctx), inserts.Stats().Items)
	// Output:
	// "": a name is missing
	// <nil> 3
}

// Lookups of single keys become one query for many.
func ExampleDo() {
	names, err := batch.New(batch.Config[*batch.Call[int, string]]{
		Flush: func(ctx context.Context, calls []*batch.Call[int, string]) error {
			known := map[int]string{1: "Ada", 2: "Rob"} // SELECT … WHERE id IN (…)
			for _, c := range calls {
				var ok bool
				if c.Result, ok = known[c.Arg]; !ok {
					c.Err = fmt.Errorf("no user %d", c.Arg)
				}
			}
			return nil // an error here would be the error of all
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer names.Stop(context.Background())
	for id := 1; id <= 3; id++ {
		fmt.Println(batch.Do(context.Background(), names, id))
	}
	// Output:
	// Ada <nil>
	// Rob <nil>
	//  no user 3
}

// Lines of a log reach the file in few system calls.
func ExampleWriter() {
	w, err := batch.NewWriter(os.Stdout, batch.WriterConfig{MaxDelay: 10 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 3 {
		fmt.Fprintf(w, "line %d\n", i)
	}
	if err := w.Close(); err != nil { // the error of any write
		fmt.Fprintln(os.Stderr, err)
	}
	// Output:
	// line 0
	// line 1
	// line 2
}
