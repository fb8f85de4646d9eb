package heavy

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// benthos is a stream processor between a shop's applications and its files: batches of orders, access logs, readings
// as CSV, and events of partners that are checked, changed and answered.
func benthos() Service {
	return Service{
		Name: "benthos", Module: "github.com/redpanda-data/benthos/v4", Version: "v4.60.0", Main: "cmd/benthos", Unseen: true,
		Args: []string{"run", "{dir}/stream.yaml"}, OnOther: true,
		Config: map[string]string{"stream.yaml": benthosStream},
		Ready:  "/ready",
		Load:   loadBenthos,
	}
}

const benthosStream = `http: {address: "127.0.0.1:{other}"}
logger: {level: WARN}
metrics: {json_api: {}}
input:
  broker:
    inputs:
      - http_server: {path: /orders}
        processors: [{mutation: 'meta kind = "order"'}]
      - http_server: {path: /logs}
        processors: [{mutation: 'meta kind = "log"'}]
      - http_server: {path: /readings}
        processors: [{mutation: 'meta kind = "reading"'}]
      - http_server: {path: /events}
        processors: [{mutation: 'meta kind = "event"'}]
pipeline:
  threads: 4
  processors:
    - switch:
        - check: meta("kind") == "order"
          processors:
            - unarchive: {format: json_array}
            - dedupe: {cache: seen, key: '${! json("id") }'}
            - mapping: |
                let items = this.items.map_each(i -> i.merge({"amount": i.price * i.count}))
                root.id = this.id
                root.at = this.at.ts_parse("2006-01-02T15:04:05Z07:00").ts_unix()
                root.day = this.at.ts_parse("2006-01-02T15:04:05Z07:00").ts_format("2006-01-02")
                root.region = this.address.country.uppercase()
                root.customer.key = this.customer.email.lowercase().hash("sha256").encode("hex")
                root.customer.domain = this.customer.email.split("@").index(1).catch("none")
                root.items = $items.filter(i -> i.count > 0).sort_by(i -> i.sku)
                root.total = $items.map_each(i -> i.amount).sum().round()
                root.large = $items.any(i -> i.amount > 400)
                root.note = this.note.re_replace_all("[0-9]{4,}", "****").slice(0, 120)
                root.tags = this.tags.unique().map_each(t -> t.trim().lowercase()).join(",")
            - branch:
                request_map: 'root = this.region'
                processors:
                  - cache: {resource: rates, operator: get, key: '${! content() }'}
                result_map: 'root.rate = content().string().number().catch(1)'
            - catch: []
            - group_by_value: {value: '${! json("region") }'}
            - archive: {format: lines}
        - check: meta("kind") == "log"
          processors:
            - unarchive: {format: lines}
            - grok:
                expressions: ['%{COMBINEDAPACHELOG}', '%{COMMONAPACHELOG}']
                named_captures_only: true
            - catch: [{mapping: 'root = deleted()'}]
            - mapping: 'root = if this.response.number() < 300 && random_int(min: 0, max: 3) > 0 { deleted() }'
            - mapping: |
                root.at = this.timestamp
                root.path = this.request.re_replace_all("/[0-9]+", "/:id").split("?").index(0)
                root.query = this.request.parse_url().query.catch({})
                root.status = this.response.number()
                root.bytes = this.bytes.number().catch(0)
                root.bot = this.agent.lowercase().contains("bot").catch(false)
                root.net = this.clientip.split(".").slice(0, 3).join(".")
            - archive: {format: lines}
        - check: meta("kind") == "reading"
          processors:
            - unarchive: {format: csv}
            - jq: {query: '{sensor, room, c: (.f | tonumber - 32 | . * 5 / 9 | floor), ok: (.state == "ok")}'}
            - mapping: 'root = if this.ok { this } else { deleted() }'
            - archive: {format: json_array}
            - compress: {algorithm: gzip}
        - processors:
            - json_schema:
                schema: |
                  {"type": "object", "required": ["type", "id", "data"], "properties": {
                    "type": {"enum": ["paid", "sent", "returned"]}, "id": {"type": "string", "minLength": 8},
                    "data": {"type": "object", "properties": {"amount": {"type": "number"}}}}}
            - try:
                - mutation: |
                    root.received = now()
                    root.data.amount = this.data.amount.or(0).string()
                    let lines = this.data.lines.or([]).enumerated()
                    root.data.lines = $lines.map_each(l -> "%v: %v".format(l.index, l.value))
                    root.data.raw = deleted()
                    root.signature = content().hash("hmac_sha256", "secret").encode("base64")
            - catch:
                - mapping: 'root = {"error": error(), "id": this.id.catch("")}'
            - sync_response: {}
output:
  switch:
    cases:
      - check: meta("kind") == "order"
        output:
          file: {path: '{dir}/orders-${! batch_size() }-${! json("region").or("none") }.jsonl', codec: lines}
      - check: meta("kind") == "log"
        output: {file: {path: {dir}/access.jsonl, codec: lines}}
      - output: {drop: {}}
cache_resources:
  - label: seen
    memory: {default_ttl: 2m, compaction_interval: 30s}
  - label: rates
    memory:
      init_values: {DE: "0.19", FR: "0.2", IT: "0.22", NL: "0.21", SE: "0.25"}
`

func loadBenthos(ctx context.Context, on Target) error {
	base := "http://" + on.Addr
	clients := times(6, browser(on, base, func(r *rand.Rand) request {
		return pick(r, []func(*rand.Rand) request{benthosOrders, benthosLogs, benthosReadings, benthosEvent,
			benthosEvent, benthosEvent})(r)
	}))
	clients = append(clients, times(1, browser(on, base, func(*rand.Rand) request {
		time.Sleep(5 * time.Second)
		return get("/metrics")
	}))...)
	return together(ctx, clients...)
}

// benthosOrders is a batch of orders, of which some come twice.
func benthosOrders(r *rand.Rand) request {
	orders := make([]any, 25)
	for i := range orders {
		items := make([]any, 1+r.IntN(6))
		for j := range items {
			items[j] = map[string]any{"sku": fmt.Sprintf("sku-%d", r.IntN(900)), "name": text(r, 3), "count": r.IntN(4),
				"price": float64(r.IntN(20_000)) / 100}
		}
		orders[i] = map[string]any{"id": fmt.Sprintf("o-%d", r.IntN(2_000_000)), "at": time.Now().UTC().Format(time.RFC3339),
			"customer": map[string]any{"email": fmt.Sprintf("User%d@Example.com", r.IntN(5000)), "name": text(r, 2)},
			"address":  map[string]any{"street": text(r, 2), "country": pick(r, []string{"de", "fr", "it", "nl", "se", "pt"})},
			"items":    items, "note": text(r, 12) + fmt.Sprint(" ", r.IntN(1_000_000)), "tags": strings.Fields(text(r, 4))}
	}
	body, _ := json.Marshal(orders) // texts and numbers
	return post("/orders", string(body))
}

// benthosLogs is what a web server has logged.
func benthosLogs(r *rand.Rand) request {
	var b strings.Builder
	for range 60 {
		fmt.Fprintf(&b, "10.%d.%d.%d - - [%s] \"GET /items/%d/reviews?page=%d HTTP/1.1\" %d %d", r.IntN(9), r.IntN(9),
			r.IntN(250), time.Now().Format("02/Jan/2006:15:04:05 -0700"), r.IntN(10_000), r.IntN(9),
			pick(r, []int{200, 200, 200, 304, 404, 500}), r.IntN(90_000))
		if r.IntN(3) > 0 {
			fmt.Fprintf(&b, " \"https://shop.example/\" \"%s\"", pick(r, []string{"Mozilla/5.0 (X11; Linux x86_64)",
				"Googlebot/2.1 (+http://www.google.com/bot.html)", "curl/8.5.0"}))
		}
		b.WriteByte('\n')
	}
	q := post("/logs", strings.TrimSpace(b.String()))
	q.header["Content-Type"] = "text/plain"
	return q
}

// benthosReadings are sensors' values as CSV.
func benthosReadings(r *rand.Rand) request {
	b := []byte("sensor,room,f,state\n")
	for range 50 {
		b = fmt.Appendf(b, "s-%d,room %d,%.1f,%s\n", r.IntN(500), r.IntN(40), 50+30*r.Float64(),
			pick(r, []string{"ok", "ok", "ok", "stale"}))
	}
	q := post("/readings", string(b))
	q.header["Content-Type"] = "text/csv"
	return q
}

// benthosEvent is an event of a partner; one in twelve is not as it should be.
func benthosEvent(r *rand.Rand) request {
	lines := make([]string, r.IntN(8))
	for i := range lines {
		lines[i] = text(r, 4)
	}
	e := map[string]any{"type": pick(r, []string{"paid", "sent", "returned"}),
		"id":   fmt.Sprintf("ev-%012d", r.IntN(1<<40)),
		"data": map[string]any{"amount": r.IntN(9000), "lines": lines, "raw": text(r, 40), "order": r.IntN(10_000)}}
	if r.IntN(12) == 0 {
		e["type"] = "lost"
	}
	body, _ := json.Marshal(e) // texts and numbers
	return post("/events", string(body))
}
