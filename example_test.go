package casebook_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/middleware"
	"github.com/gocasebook/casebook/vitals"
)

// A service that watches itself: one call in main, its requests, and a number of its own that rules can use.
func ExampleStart() {
	dir, err := os.MkdirTemp("", "cases") // a real service uses a folder that outlives it, such as /var/lib/shop/cases
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	var waiting atomic.Int64
	requests := middleware.New()
	stop, err := casebook.Start(casebook.Config{
		Service: "shop",
		Dir:     dir,
		Sources: []vitals.Source{
			requests.Source(),
			casebook.Gauge("jobs_waiting", vitals.Count, func() float64 { return float64(waiting.Load()) }),
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "welcome") })
	server := httptest.NewServer(requests.Handler(mux))
	defer server.Close()

	resp, err := http.Get(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	resp.Body.Close()
	fmt.Println(resp.Status)
	fmt.Println(stop()) // waits until everything that was started has ended
	// Output:
	// 200 OK
	// <nil>
}

// A case taken from code: for an admin page, or for a condition that no rule can express.
func ExampleWatch_Capture() {
	dir, err := os.MkdirTemp("", "cases")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	started := make(chan struct{})
	w, err := casebook.New(casebook.Config{
		Service: "shop",
		Dir:     dir,
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Started {
				close(started)
			}
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	<-started

	folder, err := w.Capture(ctx, "checkout is slow", casefile.Goroutine)
	if err != nil {
		fmt.Println(err)
	} else {
		fmt.Println(folder.Case.Target.Name, folder.Case.Trigger.Rule, folder.Case.Trigger.Text)
	}
	cancel()
	fmt.Println(<-ended)
	// Output:
	// shop manual checkout is slow
	// <nil>
}
