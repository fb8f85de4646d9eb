// Rates converts amounts. A provider says what a currency is worth.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/gocasebook/casebook/lab/unseen/waits/web"
)

type provider struct {
	client *retryablehttp.Client
	base   string
}

func (p *provider) rate(ctx context.Context, currency string) (float64, error) {
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, p.base+"/rate?of="+currency, nil)
	if err != nil {
		return 0, err
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	var quote struct{ Rate float64 }
	if err := json.NewDecoder(resp.Body).Decode(&quote); err != nil {
		return 0, err
	}
	return quote.Rate, nil
}

func (p *provider) convert(w http.ResponseWriter, r *http.Request) {
	amount, err := strconv.ParseFloat(r.FormValue("amount"), 64)
	if err != nil {
		http.Error(w, "amount", http.StatusBadRequest)
		return
	}
	rate, err := p.rate(r.Context(), r.FormValue("to"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "%.2f\n", amount*rate)
}

// source has no rate of one currency, and says so with 503.
func source() {
	http.HandleFunc("/rate", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("of") == "c3" {
			http.Error(w, "no rate at the moment", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, `{"rate": 1.0831}`)
	})
	http.ListenAndServe(*web.Peer, nil)
}

func main() {
	flag.Parse()
	if *web.Back {
		source()
	}
	client := retryablehttp.NewClient()
	client.Logger = nil
	if *web.Fixed {
		client.RetryMax, client.RetryWaitMin, client.RetryWaitMax = 1, 10*time.Millisecond, 50*time.Millisecond
	}
	p := &provider{client: client, base: "http://" + *web.Peer}
	mux := http.NewServeMux()
	mux.HandleFunc("/convert", p.convert)
	web.Serve(mux)
}
