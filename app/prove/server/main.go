// Command server answers with a small piece of realistic work, JSON and hashing, whose CPU per request can be raised by
// a known share: what casebook prove is proved on.
//
// A request does a number of rounds (-rounds), each of which decodes an order from JSON, hashes its lines and encodes
// it again: about 2.8 µs. -slower 5 adds 5 % of the rounds and of what else a request costs the process (-overhead, in
// rounds: the accepting, the parsing and the waking up, about 100 µs at 500 requests a second on a busy machine).
package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	_ "net/http/pprof" // on the default mux, which is served
	"os"
	"time"
)

// A line is one position of an order.
type line struct {
	Article  string  `json:"article"`
	Quantity int     `json:"quantity"`
	Price    float64 `json:"price"`
	Digest   []byte  `json:"digest,omitempty"`
}

// order is the input of a round.
var order = []byte(
	`[{"article":"screw M4x20, zinc","quantity":200,"price":0.031},{"article":"nut M4","quantity":200,"price":0.012}]`)

// work is one round: decode, hash, encode.
func work() ([]byte, error) {
	var lines []line
	if err := json.Unmarshal(order, &lines); err != nil {
		return nil, err
	}
	for i := range lines {
		sum := sha256.Sum256([]byte(lines[i].Article))
		lines[i].Digest = sum[:]
	}
	return json.Marshal(lines)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on")
	rounds := flag.Int("rounds", 200, "rounds of work a request")
	slower := flag.Float64("slower", 0, "percent more rounds")
	overhead := flag.Float64("overhead", 35, "what a request costs besides its work, in rounds; -slower is of both")
	flag.Parse()
	n := *rounds + int((float64(*rounds)+*overhead)**slower/100+0.5)
	http.HandleFunc("/work", func(w http.ResponseWriter, _ *http.Request) {
		var out []byte
		for range n {
			var err error
			if out, err = work(); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
		}
		w.Write(out)
	})
	server := &http.Server{Addr: *addr, ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintln(os.Stderr, server.ListenAndServe())
	os.Exit(1)
}
