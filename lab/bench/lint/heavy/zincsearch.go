package heavy

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
)

// zincsearch finds texts: producers write documents one by one and many at once, readers search in several ways.
func zincsearch() Service {
	return Service{
		Name: "zincsearch", Module: "github.com/zincsearch/zincsearch", Version: "v0.4.10", Main: "cmd/zincsearch",
		Unseen:  true,
		Missing: map[string]string{"web/dist/index.html": "<html></html>"},
		Env: []string{"ZINC_SERVER_PORT={port}", "ZINC_SERVER_ADDRESS=127.0.0.1", "ZINC_DATA_PATH={dir}/data",
			"ZINC_FIRST_ADMIN_USER=admin", "ZINC_FIRST_ADMIN_PASSWORD=Complexpass#123", "ZINC_SENTRY=false",
			"ZINC_TELEMETRY=false", "ZINC_PROFILER=false", "GIN_MODE=release"},
		Ready: "/healthz",
		Load:  loadZincsearch,
	}
}

const zincIndexes = 4

func zincRequest(method, path string, body any) request {
	data, _ := json.Marshal(body) // texts and numbers
	return request{method: method, path: path, body: string(data), header: map[string]string{
		"Content-Type":  "application/json",
		"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte("admin:Complexpass#123"))}}
}

func zincDocument(r *rand.Rand) map[string]any {
	return map[string]any{"title": text(r, 6), "body": text(r, 60), "author": fmt.Sprintf("author-%d", r.IntN(50)),
		"year": 1990 + r.IntN(36), "rating": r.Float64() * 5, "tags": []string{pick(r, words), pick(r, words)}}
}

func loadZincsearch(ctx context.Context, on Target) error {
	base := "http://" + on.Addr
	write := browser(on, base, func(r *rand.Rand) request {
		index := fmt.Sprintf("articles-%d", r.IntN(zincIndexes))
		if r.IntN(4) > 0 {
			return zincRequest(http.MethodPut, fmt.Sprintf("/api/%s/_doc/%d", index, r.IntN(20_000)), zincDocument(r))
		}
		records := make([]map[string]any, 40)
		for i := range records {
			records[i] = zincDocument(r)
		}
		return zincRequest(http.MethodPost, "/api/_bulkv2", map[string]any{"index": index, "records": records})
	})
	bulk := browser(on, base, func(r *rand.Rand) request {
		var b strings.Builder
		for range 30 {
			doc, _ := json.Marshal(zincDocument(r)) // texts and numbers
			fmt.Fprintf(&b, "{\"index\":{\"_index\":\"articles-%d\"}}\n%s\n", r.IntN(zincIndexes), doc)
		}
		q := zincRequest(http.MethodPost, "/es/_bulk", nil)
		q.body = b.String()
		return q
	})
	search := browser(on, base, func(r *rand.Rand) request {
		index := fmt.Sprintf("articles-%d", r.IntN(zincIndexes))
		switch r.IntN(4) {
		case 0:
			return zincRequest(http.MethodGet, fmt.Sprintf("/api/%s/_doc/%d", index, r.IntN(20_000)), nil)
		case 1:
			return zincRequest(http.MethodPost, "/api/"+index+"/_search", map[string]any{"search_type": "match",
				"query": map[string]any{"term": pick(r, words), "field": "body"}, "from": 0, "max_results": 20, "_source": []string{}})
		}
		return zincRequest(http.MethodPost, "/es/"+index+"/_search", map[string]any{"size": 10,
			"query": map[string]any{"bool": map[string]any{"must": []any{
				map[string]any{"match": map[string]any{"body": text(r, 2)}},
				map[string]any{"range": map[string]any{"year": map[string]any{"gte": 2000}}}}}},
			"aggs": map[string]any{"authors": map[string]any{"terms": map[string]any{"field": "author", "size": 10}}}})
	})
	clients := append(times(2, write), times(5, search)...)
	return together(ctx, append(clients, times(1, bulk)...)...)
}
