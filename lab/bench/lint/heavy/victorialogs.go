package heavy

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"time"
)

// victoriaLogs gets the logs of applications, as lines of JSON, from Filebeat, from Promtail and as syslog, and people
// search them and draw how many there were.
func victoriaLogs() Service {
	return Service{
		Name: "victoria-logs", Module: "github.com/VictoriaMetrics/VictoriaLogs", Version: "v1.52.1",
		Main: "app/victoria-logs", Unseen: true,
		Args: []string{"-httpListenAddr=127.0.0.1:{port}", "-storageDataPath={dir}/data", "-loggerLevel=ERROR",
			"-syslog.listenAddr.tcp=127.0.0.1:{other}", "-retentionPeriod=7d"},
		Ready: "/health",
		Load:  loadVictoriaLogs,
	}
}

func loadVictoriaLogs(ctx context.Context, on Target) error {
	base := "http://" + on.Addr
	clients := times(3, browser(on, base, func(r *rand.Rand) request {
		time.Sleep(20 * time.Millisecond) // an agent sends what a file has grown by
		return pick(r, []func(*rand.Rand) request{logLines, logBulk, logPush})(r)
	}))
	clients = append(clients, times(1, func(ctx context.Context, i int) error { return syslogSender(ctx, on, i) })...)
	clients = append(clients, times(3, browser(on, base, logSearch))...)
	clients = append(clients, times(1, browser(on, base, func(*rand.Rand) request {
		time.Sleep(5 * time.Second)
		return get("/metrics")
	}))...)
	return together(ctx, clients...)
}

// logEntry is one line of an application.
func logEntry(r *rand.Rand) map[string]string {
	service := pick(r, []string{"shop", "cart", "search", "mail", "ledger"})
	e := map[string]string{"service": service, "host": fmt.Sprintf("node-%d", r.IntN(12)),
		"level": pick(r, []string{"info", "info", "info", "debug", "warn", "error"}),
		"trace": fmt.Sprintf("%016x", r.Uint64()), "user": fmt.Sprintf("u-%d", r.IntN(5000))}
	switch r.IntN(3) {
	case 0:
		e["msg"] = fmt.Sprintf("GET /api/v1/items/%d?page=%d 200 %dms", r.IntN(10_000), r.IntN(9), r.IntN(900))
		e["status"] = pick(r, []string{"200", "200", "404", "500"})
		e["ip"] = fmt.Sprintf("10.0.%d.%d", r.IntN(4), r.IntN(256))
		e["duration"] = fmt.Sprint(r.Float64())
	case 1:
		e["msg"] = "cannot reach " + service + "-db: dial tcp 10.0.0.7:5432: connection refused, " + text(r, 6)
	default:
		e["msg"] = text(r, 12)
	}
	return e
}

// packed compresses a body, as agents do.
func packed(q request) request {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(q.body)) // a Buffer takes all
	w.Close()
	q.body, q.header["Content-Encoding"] = b.String(), "gzip"
	return q
}

// logLines is what Vector sends.
func logLines(r *rand.Rand) request {
	var b strings.Builder
	for range 200 {
		e := logEntry(r)
		e["time"] = time.Now().UTC().Format(time.RFC3339Nano)
		line, _ := json.Marshal(e) // texts
		b.Write(line)
		b.WriteByte('\n')
	}
	return packed(post("/insert/jsonline?_stream_fields=service,host&_msg_field=msg&_time_field=time", b.String()))
}

// logBulk is what Filebeat sends.
func logBulk(r *rand.Rand) request {
	var b strings.Builder
	for range 200 {
		e := logEntry(r)
		line, _ := json.Marshal(map[string]any{"@timestamp": time.Now().UTC(), "message": e["msg"], // texts
			"log": map[string]any{"file": map[string]string{"path": "/var/log/" + e["service"] + ".log"}, "level": e["level"]},
			"kubernetes": map[string]any{"pod": map[string]string{"name": e["host"]},
				"labels": map[string]string{"app": e["service"]}},
			"trace": map[string]string{"id": e["trace"]}})
		fmt.Fprintf(&b, "{\"create\":{}}\n%s\n", line)
	}
	return packed(post("/insert/elasticsearch/_bulk?_msg_field=message&"+
		"_stream_fields=kubernetes.labels.app,kubernetes.pod.name", b.String()))
}

// logPush is what Promtail sends, in its JSON form.
func logPush(r *rand.Rand) request {
	var streams []any
	for range 5 {
		e := logEntry(r)
		var values [][2]string
		for range 40 {
			values = append(values, [2]string{fmt.Sprint(time.Now().UnixNano()), "level=" + e["level"] + " trace=" +
				fmt.Sprintf("%016x", r.Uint64()) + " " + logEntry(r)["msg"]})
		}
		streams = append(streams, map[string]any{"stream": map[string]string{"job": e["service"], "instance": e["host"]},
			"values": values})
	}
	body, _ := json.Marshal(map[string]any{"streams": streams}) // texts
	return packed(post("/insert/loki/api/v1/push", string(body)))
}

// syslogSender is a machine's rsyslog.
func syslogSender(ctx context.Context, on Target, i int) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", on.Other)
	if err != nil {
		return err
	}
	defer conn.Close()
	r := rand.New(rand.NewPCG(uint64(i), 37))
	for n := 0; ctx.Err() == nil; n++ {
		e := logEntry(r)
		_, err := fmt.Fprintf(conn, "<%d>1 %s %s %s %d ID%d [meta trace=\"%s\" user=\"%s\"] %s\n", 8*r.IntN(20)+r.IntN(8),
			time.Now().UTC().Format(time.RFC3339Nano), e["host"], e["service"], 100+r.IntN(900), r.IntN(50), e["trace"],
			e["user"], e["msg"])
		if err != nil {
			return err
		}
		if n%20 == 0 {
			on.Seen.Is(true)
			time.Sleep(10 * time.Millisecond)
		}
	}
	return nil
}

// logSearch is what people and dashboards ask.
func logSearch(r *rand.Rand) request {
	since := pick(r, []string{"_time:10s ", "_time:1m ", "_time:5m "})
	word := pick(r, words[:20])
	stream := fmt.Sprintf(`{service=%q} `, pick(r, []string{"shop", "cart", "search", "mail", "ledger"}))
	ask := func(path string, more ...string) request {
		q := url.Values{}
		for i := 0; i < len(more); i += 2 {
			q.Set(more[i], more[i+1])
		}
		return get("/select/logsql/" + path + "?" + q.Encode())
	}
	switch r.IntN(12) {
	case 0:
		return ask("hits", "query", since+"error", "step", "5s", "field", "level")
	case 1:
		return ask("stats_query", "query", since+"| stats by (service, level) count() n, count_uniq(user) users")
	case 2:
		return ask("query", "query", since+`~"refused.*`+word+`" | fields _time, _msg, host`, "limit", "50")
	case 3:
		return ask("query", "query", since+stream+`duration:>0.9 | sort by (_time desc) | limit 20`)
	case 4:
		return ask("query", "query", since+`| extract "GET <path>?<_> <code> <ms>ms" `+
			`| stats by (code) count() n, quantile(0.9, ms) p90`)
	case 5:
		return ask("field_values", "query", since+"*", "field", "status", "limit", "20")
	case 6:
		return ask(pick(r, []string{"streams", "field_names", "stream_field_names"}), "query", since+"*")
	case 7:
		return ask("facets", "query", since+"level:error")
	case 8:
		return ask("query", "query", since+`| top 10 by (ip)`)
	case 9:
		return ask("query", "query", since+`user:="`+fmt.Sprintf("u-%d", r.IntN(5000))+`" -level:debug`, "limit", "100")
	}
	return ask("query", "query", since+stream+word+" level:in(error,warn)", "limit", "100")
}
