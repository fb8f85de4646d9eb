// Command server answers with a small piece of realistic work, JSON and hashing, whose CPU per request can be raised by a known
// share: what casebook prove is proved on.
//
// A request decodes an order of 40 lines from JSON, hashes each line and encodes the answer: about 100 µs. -slower 5 does
// 5 % more rounds of that work: it is done -rounds times, 100 by default of a smaller order, and -slower adds to the
// number of rounds, so that the share is exact for the handler's work. What net/http itself takes of a request is made a
// part of it by -fixed, see overhead.
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
var order = []byte(`[{"article":"screw M4x20, zinc","quantity":200,"price":0.031},{"article":"nut M4","quantity":200,"price":0.012}]`)

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
	overhead := flag.Float64("overhead", 0, "what a request costs besides its work, in rounds; -slower is of both")
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
