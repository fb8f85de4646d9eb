package middleware_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"

	"github.com/gocasebook/casebook/middleware"
)

// A service wraps its handlers once and gives the source to its watcher.
func Example() {
	m := middleware.New()
	handler := m.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/broken" {
			http.Error(w, "broken", http.StatusInternalServerError)
		}
	}))
	source := m.Source() // for casebook.Config.Sources

	for _, path := range []string{"/", "/a", "/b", "/broken"} {
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	values := make([]float64, len(source.Signals))
	if err := source.Read(context.Background(), values); err != nil {
		fmt.Println(err)
	}
	for i, signal := range source.Signals {
		if signal.Name == "http_errors" && !math.IsNaN(values[i]) {
			fmt.Println(signal.Name, signal.Unit.Format(values[i]))
		}
	}
	// Output: http_errors 25 %
}
