// Slugs makes addresses of titles: "Über uns!" becomes "ber-uns".
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof"
	"regexp"
	"strings"
)

// slug makes an address of a title.
func slug(title string) string {
	other := regexp.MustCompile(`[^a-z0-9]+`)
	words := other.ReplaceAllString(strings.ToLower(title), "-")
	return strings.Trim(words, "-")
}

// slugs makes addresses of titles, in their order.
func slugs(titles []string) []string {
	made := make([]string, len(titles))
	for i, title := range titles {
		made[i] = slug(title)
	}
	return made
}

func take(w http.ResponseWriter, r *http.Request) {
	var titles []string
	if err := json.NewDecoder(r.Body).Decode(&titles); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(slugs(titles))
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7814", "where to serve")
	flag.Parse()
	http.HandleFunc("POST /slugs", take)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
