// Configwatch keeps settings of applications. An application holds a request open until its settings change.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

// patience is how long a request is held; the application asks again.
const patience = 25 * time.Second

type server struct{ apps *Apps }

func (s *server) watch(w http.ResponseWriter, r *http.Request) {
	since, _ := strconv.Atoi(r.FormValue("since"))
	app := s.apps.Get(chi.URLParam(r, "app"))
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		current, changed := app.Current()
		if current.Version > since {
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(current)
			return
		}
		select {
		case <-changed:
		case <-timeout.C:
			w.WriteHeader(http.StatusNotModified)
			return
		case <-r.Context().Done():
			return
		}
	}
}

func (s *server) put(w http.ResponseWriter, r *http.Request) {
	var values map[string]string
	if err := json.NewDecoder(r.Body).Decode(&values); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintln(w, s.apps.Get(chi.URLParam(r, "app")).Set(values))
}

// watchers are 900 applications' instances; some give up early and come back.
func watchers(p drive.Ports) {
	drive.Await(p.Main())
	patient := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 900}, Timeout: 40 * time.Second}
	hasty := &http.Client{Transport: patient.Transport, Timeout: 4 * time.Second}
	for i := range 900 {
		client := patient
		if i%6 == 0 {
			client = hasty
		}
		go func() {
			for version := 0; ; {
				res, err := client.Do(drive.Get(p.Main(), "/apps/app-%d/settings?since=%d", i%30, version))
				if err != nil {
					continue
				}
				var got settings
				if json.NewDecoder(res.Body).Decode(&got) == nil {
					version = got.Version
				}
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
		}()
	}
}

func load(p drive.Ports) {
	drive.Load{Rate: 24}.Run(func(i int) *http.Request {
		return drive.Send(http.MethodPut, p.Main(), fmt.Sprintf("/apps/app-%d/settings", i%30),
			fmt.Sprintf(`{"level":"info","limit":"%d","region":"eu"}`, i))
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		watchers(p)
		load(p)
	}
	s := &server{NewApps()}
	r := chi.NewRouter()
	r.Get("/apps/{app}/settings", s.watch)
	r.Put("/apps/{app}/settings", s.put)
	r.Mount("/debug/pprof", http.DefaultServeMux)
	log.Fatal(http.ListenAndServe(p.Main(), r))
}
