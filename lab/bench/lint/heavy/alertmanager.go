package heavy

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"
)

// alertmanager gets the alerts of three Prometheus servers again and again, groups, inhibits and silences them, and
// calls a web hook. People look at what there is.
func alertmanager() Service {
	return Service{
		Name: "alertmanager", Module: "github.com/prometheus/alertmanager", Version: "v0.35.0", Main: "cmd/alertmanager",
		Unseen: true,
		Args: []string{"--web.listen-address=127.0.0.1:{port}", "--cluster.listen-address=", "--storage.path={dir}/data",
			"--config.file={dir}/alertmanager.yml", "--log.level=error"},
		// npm builds them.
		Missing: map[string]string{"ui/app/dist/elm/index.html": "<html></html>",
			"ui/app/dist/mantine/index.html": "<html></html>"},
		Config: map[string]string{"alertmanager.yml": `route:
  receiver: team
  group_by: [alertname, cluster]
  group_wait: 1s
  group_interval: 10s
  repeat_interval: 1h
  routes:
  - matchers: [severity="critical", team=~"db|net"]
    receiver: pager
    group_by: [alertname, instance]
    continue: true
  - matchers: [severity=~"info|none"]
    receiver: nobody
inhibit_rules:
- source_matchers: [severity="critical"]
  target_matchers: [severity=~"warning|info"]
  equal: [alertname, instance]
receivers:
- name: team
  webhook_configs: [{url: "http://127.0.0.1:{other}/team", send_resolved: true}]
- name: pager
  webhook_configs: [{url: "http://127.0.0.1:{other}/pager", send_resolved: true, max_alerts: 20}]
- name: nobody
`},
		Ready: "/-/ready",
		Load:  loadAlertmanager,
	}
}

func loadAlertmanager(ctx context.Context, on Target) error {
	hook := &http.Server{Addr: on.Other, ReadHeaderTimeout: time.Second,
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) })}
	go hook.ListenAndServe() // until it is closed
	defer hook.Close()
	base := "http://" + on.Addr
	clients := times(3, browser(on, base, func(r *rand.Rand) request {
		time.Sleep(100 * time.Millisecond) // each server sends what fires again and again, 64 at a time
		return post("/api/v2/alerts", alerts(r, 64))
	}))
	clients = append(clients, times(2, browser(on, base, func(r *rand.Rand) request {
		time.Sleep(50 * time.Millisecond)
		filter := url.QueryEscape(pick(r, []string{`severity="critical"`, `team=~"db|web"`, `instance!~"host1.*"`}))
		switch r.IntN(10) {
		case 0:
			return get("/api/v2/silences")
		case 1:
			return post("/api/v2/silences", silence(r))
		case 2:
			return get("/api/v2/status")
		case 3:
			return get("/metrics")
		case 4, 5, 6:
			return get("/api/v2/alerts/groups?silenced=false&inhibited=false&active=true&filter=" + filter)
		}
		return get("/api/v2/alerts?active=true&filter=" + filter)
	}))...)
	return together(ctx, clients...)
}

// alerts are n of two thousand; one in ten has ended.
func alerts(r *rand.Rand, n int) string {
	out := make([]map[string]any, n)
	for i := range out {
		k := r.IntN(2000)
		out[i] = map[string]any{
			"labels": map[string]string{"alertname": fmt.Sprintf("Alert%d", k%40),
				"instance": fmt.Sprintf("host%d:9100", k/40),
				"severity": []string{"critical", "warning", "info"}[k%3], "team": []string{"db", "net", "web", "infra"}[k%4],
				"cluster": fmt.Sprintf("eu-%d", k%5), "job": "node"},
			"annotations": map[string]string{"summary": text(r, 8), "description": text(r, 20),
				"runbook_url": "https://runbooks.example.com/" + fmt.Sprint(k%40)},
			"startsAt":     time.Now().Add(-time.Minute).Format(time.RFC3339),
			"generatorURL": "http://prometheus.example.com/graph?g0.expr=up",
		}
		if r.IntN(10) == 0 {
			out[i]["endsAt"] = time.Now().Format(time.RFC3339)
		}
	}
	b, _ := json.Marshal(out) // texts and maps
	return string(b)
}

// silence is of one host, for a minute.
func silence(r *rand.Rand) string {
	now := time.Now()
	b, _ := json.Marshal(map[string]any{ // texts and maps
		"matchers": []map[string]any{{"name": "instance", "value": fmt.Sprintf("host%d:.*", r.IntN(50)), "isRegex": true,
			"isEqual": true}},
		"startsAt": now.Format(time.RFC3339), "endsAt": now.Add(time.Minute).Format(time.RFC3339), "createdBy": "somebody",
		"comment": text(r, 5)})
	return string(b)
}
