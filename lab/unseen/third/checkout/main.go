// Checkout prices carts, and traces how it does.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

// collector sends spans to where they are kept.
type collector struct {
	client *http.Client
	url    string
}

func (c *collector) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	type span struct {
		Name string
		ID   string
		Took time.Duration
	}
	batch := make([]span, len(spans))
	for i, s := range spans {
		batch[i] = span{s.Name(), s.SpanContext().SpanID().String(), s.EndTime().Sub(s.StartTime())}
	}
	body, err := json.Marshal(batch)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	res, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

func (c *collector) Shutdown(context.Context) error { return nil }

type checkout struct{ tracer trace.Tracer }

func (c *checkout) step(ctx context.Context, name string, takes time.Duration) {
	_, span := c.tracer.Start(ctx, name)
	defer span.End()
	time.Sleep(takes)
}

func (c *checkout) price(w http.ResponseWriter, r *http.Request) {
	ctx, span := c.tracer.Start(r.Context(), "price")
	defer span.End()
	c.step(ctx, "stock", 2*time.Millisecond)
	c.step(ctx, "discount", time.Millisecond)
	c.step(ctx, "tax", time.Millisecond)
	fmt.Fprintln(w, len(r.FormValue("cart"))*100)
}

func tracing(url string) *sdk.TracerProvider {
	options := []sdk.BatchSpanProcessorOption{sdk.WithMaxQueueSize(512), sdk.WithMaxExportBatchSize(64)}
	if !form.Fixed {
		options = append(options, sdk.WithBlocking())
	}
	return sdk.NewTracerProvider(sdk.WithBatcher(&collector{&http.Client{Timeout: 30 * time.Second}, url}, options...))
}

// spans takes a batch in 700 ms.
func spans() {
	http.HandleFunc("POST /spans", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(700 * time.Millisecond)
	})
	log.Fatal(http.ListenAndServe(*web.Peer, nil))
}

func main() {
	flag.Parse()
	if *web.Back {
		spans()
	}
	c := &checkout{tracing("http://" + *web.Peer + "/spans").Tracer("checkout")}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /price", c.price)
	mux.HandleFunc("GET /currency", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "EUR") })
	web.Serve(mux)
}
