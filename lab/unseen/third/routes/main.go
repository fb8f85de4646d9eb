// Routes is the interface of a fleet of devices: each kind of device has its own paths.
package main

import (
	"flag"
	"fmt"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

const kinds = 150

var actions = []string{"ping", "config", "logs", "certificates", "policies", "software", "labels", "checkin"}

func answer(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "ok", r.URL.Path) }

// paths are the routes of all kinds, in the order in which they were written.
func paths() *mux.Router {
	router := mux.NewRouter()
	for kind := range kinds {
		for _, action := range actions {
			path := fmt.Sprintf("/api/{version:(?:v1|2026-04|latest)}/kind%d/{device:[0-9a-f-]+}/%s", kind, action)
			router.HandleFunc(path, answer).Methods(http.MethodGet, http.MethodPost)
		}
	}
	return router
}

// tree are the same routes in a tree.
func tree() *http.ServeMux {
	router := http.NewServeMux()
	for kind := range kinds {
		for _, action := range actions {
			router.HandleFunc(fmt.Sprintf("/api/{version}/kind%d/{device}/%s", kind, action), answer)
		}
	}
	return router
}

func main() {
	flag.Parse()
	if form.Fixed {
		web.Serve(tree())
	}
	web.Serve(paths())
}
