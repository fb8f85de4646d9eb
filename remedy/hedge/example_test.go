package hedge_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/gocasebook/casebook/remedy/hedge"
)

// A lookup of a few milliseconds that now and then takes many seconds. After some hundred calls the policy knows what
// late means, and the next late lookup does not take those seconds.
func ExampleDo() {
	policy, err := hedge.New(hedge.Config{MinDelay: 50 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return
	}
	lookup := func(takes time.Duration) func(context.Context) (string, error) {
		return func(ctx context.Context) (string, error) {
			if hedge.Attempt(ctx) == 1 { // here another replica would be asked
				return "from the hedge", nil
			}
			select {
			case <-time.After(takes):
				return "from the first attempt", nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
	}
	users := policy.For("users.Get")
	for range 300 {
		if _, err := hedge.Do(context.Background(), users, lookup(2*time.Millisecond)); err != nil {
			fmt.Println(err)
			return
		}
	}
	who, err := hedge.Do(context.Background(), users, lookup(20*time.Second))
	fmt.Println(who, err)
	// Output: from the hedge <nil>
}

// Rows must be closed, those of the loser too.
func ExampleCall() {
	policy, err := hedge.New(hedge.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	query := hedge.Call[*http.Response]{
		Run: func(ctx context.Context) (*http.Response, error) {
			return &http.Response{Status: "200 OK", Body: http.NoBody}, nil // here a server would be asked
		},
		Release: func(r *http.Response) {
			if r != nil { // an attempt that failed has nothing to close
				r.Body.Close()
			}
		},
	}
	resp, err := query.Do(context.Background(), policy)
	fmt.Println(resp.Status, err)
	// Output: 200 OK <nil>
}

func ExampleTransport() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	defer server.Close()

	policy, err := hedge.New(hedge.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	client := &http.Client{Transport: &hedge.Transport{Policy: policy}}
	resp, err := client.Get(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status, policy.Stats().Calls, "call")
	// Output: 204 No Content 1 call
}
