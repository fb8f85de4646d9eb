package live

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/trial"
)

// What is wrong with a service.
const (
	Leak    = "leak"
	Wait    = "wait"
	CPU     = "CPU"
	Nothing = "nothing" // it is healthy, and looks ill
)

// A Row is a service, what it needs, its traffic, and what makes it ill.
//
// Places in Args, Back and the paths of loads: {b} is the address of the program that it needs, {c} and {d} are two
// more, {dir} is a folder, {fixed} is -fixed of the repaired form where the module has that flag.
type Row struct {
	Name   string // of its program
	Module string // folder or archive of lab/unseen
	Sort   string
	Args   string
	Back   string // program that it needs, with its arguments; "": none
	// Always says why no rule has to trip: the service is what it is from its first request on, work that costs more
	// than it should, or takes longer, as the same work could honestly do. "": one has to.
	Always string
	// Traffic: healthy from the start, and what comes to it with the fault.
	Healthy, Ill []trial.Load
	// Clients are others than requests: clients at the address {c}, with those of the fault after a while.
	Clients func(ctx context.Context, address string, ill time.Duration)
}

// Case is the row's name in diagnose/testdata/truth.tsv.
func (r *Row) Case() string { return "unseen-" + r.Module + "/" + r.Name }

// Within is how soon after the fault a rule has to trip.
func (r *Row) Within() time.Duration {
	if r.Sort == Leak || r.Sort == Nothing {
		return 2 * time.Minute
	}
	return time.Minute
}

// modules says how the programs of a module are told what they are to be told.
var modules = map[string]struct {
	args         string
	env, backEnv []string
	flag         bool // the repaired form is the flag -fixed; else it is a build tag
}{
	"leaks":   {args: "-addr {a}", flag: true},
	"waits":   {args: "-addr {a} -peer {b}", flag: true},
	"third":   {args: "-addr {a} -peer {b} -dir {dir}"},
	"fourth":  {env: []string{"ADDR={a}"}},
	"fifth":   {env: []string{"ADDR={a}", "REDIS={b}"}, backEnv: []string{"REDIS={b}"}},
	"sixth":   {env: []string{"ADDR={a}", "PEER={b}"}, backEnv: []string{"PEER={b}", "POSITIONS={c}"}},
	"seventh": {env: []string{"ADDR={a}", "PEER={b}"}, backEnv: []string{"PEER={b}", "MEMCACHED={c}"}},
}

// Rows are the services, by what is wrong with them. Rates are those that docs/evidence/unseen-*.md gives, or, of CPU,
// those that fill about one core.
func Rows() []Row {
	return []Row{
		{Name: "esbody", Module: "leaks", Sort: Leak, Args: "-es http://{b}", Back: "back -es {b} -redis {c} -origin {d}",
			Healthy: loads(get(5, "/search?q=oak")),
			Ill:     loads(send(15, "PUT", "/products/p{{rand 1 999}}", `{"name":"an oak table"}`))},
		{Name: "rowsearly", Module: "leaks", Sort: Leak, Ill: loads(get(5, "/boards/board{{rand 0 199}}/newest"))},
		{Name: "redissub", Module: "leaks", Sort: Leak, Args: "-redis {c}", Back: "back -es {b} -redis {c} -origin {d}",
			Healthy: loads(send(5, "POST", "/events/u{{rand 1 99}}", "news")),
			Ill:     loads(leaving(3*time.Second, get(10, "/events/u{{seq}}")))},
		{Name: "logruswriter", Module: "leaks", Sort: Leak, Args: "-origin http://{d}",
			Back: "back -es {b} -redis {c} -origin {d}", Ill: loads(get(15, "/pages/p{{rand 1 99}}"))},
		{Name: "otelpeers", Module: "leaks", Sort: Leak, Healthy: loads(get(100, "/items/{{rand 1 500}}")),
			Ill: loads(from("10.{{rand 0 255}}.{{rand 0 255}}.{{rand 0 255}}", get(200, "/items/{{rand 1 500}}")))},
		{Name: "gorillactx", Module: "leaks", Sort: Leak, Ill: loads(send(200, "POST", "/cart", "article=7"))},
		{Name: "gometrics", Module: "leaks", Sort: Leak, Healthy: loads(get(5, "/rates")),
			Ill: loads(get(300, "/rates/EUR{{rand 10 39}}"))},
		{Name: "cgocstring", Module: "leaks", Sort: Leak,
			Ill: loads(padded(16_000, send(80, "POST", "/tokens", "$PAD$")))},
		{Name: "zstdreader", Module: "leaks", Sort: Leak, Ill: loads(get(3, "/packages/p{{rand 0 29}}/control"))},
		{Name: "timeafter", Module: "leaks", Sort: Leak, Ill: loads(get(300, "/status"))},
		{Name: "stock", Module: "third", Sort: Leak, Back: "stock -back -peer {b}", Healthy: loads(get(5, "/products/p1")),
			Ill: loads(get(10, "/products/p{{rand 1 50}}/stock"))},
		{Name: "audit", Module: "third", Sort: Leak, Healthy: loads(get(5, "/ready")),
			Ill: loads(send(10, "POST", "/tenants/t{{rand 1 20}}/events", "somebody signed in"))},
		{Name: "visitors", Module: "third", Sort: Leak,
			Healthy: loads(from("10.0.{{rand 0 3}}.{{rand 0 255}}", get(150, "/articles/a{{rand 1 99}}"))),
			Ill: loads(from("10.{{rand 0 255}}.{{rand 0 255}}.{{rand 0 255}}",
				get(300, "/articles/a{{rand 1 99}}")))},
		{Name: "carts", Module: "third", Sort: Leak, Healthy: loads(get(100, "/carts")),
			Ill: loads(send(400, "POST", "/carts/c{{rand 1 500}}?product=oak", ""))},
		{Name: "journal", Module: "third", Sort: Leak,
			Always:  "in two minutes nothing grows: 0.7 to 2 MiB of live heap, 8 MiB resident; what iterators pin shows later",
			Healthy: loads(padded(400, send(20, "POST", "/devices/d{{rand 1 20}}/events", "$PAD$"))),
			Ill:     loads(get(10, "/devices/d{{rand 1 20}}/events"))},
		{Name: "thumbs", Module: "third", Sort: Leak,
			Healthy: loads(padded(64<<10, send(5, "PUT", "/pictures/p{{seq}}", "$PAD$"))),
			Ill:     loads(padded(64<<10, send(22, "PUT", "/pictures/q{{seq}}", "$PAD$")))},
		{Name: "quotes", Module: "fourth", Sort: Leak, Ill: loads(get(300, "/quotes/q{{seq}}"))},
		{Name: "hooks", Module: "fourth", Sort: Leak, Ill: loads(get(10, "/events/e{{seq}}"))},
		{Name: "spool", Module: "fourth", Sort: Leak, Ill: loads(get(25, "/files/f{{seq}}"))},
		{Name: "codes", Module: "fifth", Sort: Leak, Ill: loads(send(200, "POST", "/users/u{{rand 1 999}}/codes", ""))},
		{Name: "forms", Module: "fifth", Sort: Leak, Ill: loads(send(100, "POST", "/forms", form(24)))},
		{Name: "webhooks", Module: "sixth", Sort: Leak, Healthy: loads(get(5, "/kinds")),
			Ill: loads(send(250, "POST", "/events",
				`{"id":"e{{seq}}","kind":"k{{rand 1 9}}","labels":{"from":"shop","zone":"eu"}}`))},
		{Name: "exports", Module: "seventh", Sort: Leak, Back: "peer",
			Healthy: loads(send(2, "POST", "/customers/c1/export", "")),
			Ill:     loads(send(15, "POST", "/customers/c{{rand 1 9}}/export", ""))},

		{Name: "pages", Module: "waits", Sort: Wait, Back: "pages -back -peer {b}",
			Healthy: loads(get(40, `/page/{{pick "1" "3" "4" "5"}}`)), Ill: loads(get(10, "/page/2"))},
		{Name: "sandboxes", Module: "waits", Sort: Wait, Args: "-dir {dir}",
			Healthy: loads(get(2, "/claim?owner=o{{rand 1 99}}")), Ill: loads(get(80, "/claim?owner=o{{rand 1 99}}"))},
		{Name: "ring", Module: "waits", Sort: Wait, Ill: loads(get(60, "/owners?key=k{{rand 1 100000}}"))},
		{Name: "inbox", Module: "waits", Sort: Wait, Back: "inbox -back -peer {b}",
			Healthy: loads(get(40, "/profile?user=u{{rand 0 499}}"), get(2, "/send?user=u{{rand 0 500}}&text=hello")),
			Ill:     loads(get(6, "/next?user=u{{rand 0 500}}"))},
		{Name: "rates", Module: "waits", Sort: Wait, Back: "rates -back -peer {b}",
			Healthy: loads(get(15, `/convert?amount=5&to={{pick "c1" "c2" "c4"}}`)),
			Ill:     loads(get(5, "/convert?amount=5&to=c3"))},
		{Name: "ledger", Module: "waits", Sort: Wait, Args: "-dir {dir}", Healthy: loads(list(1, 2)),
			Ill: loads(list(20, 60))},
		{Name: "uploads", Module: "waits", Sort: Wait, Back: "uploads -back -peer {b} {fixed}",
			Healthy: loads(padded(30_000, send(20, "POST", "/picture", "$PAD$"))),
			Ill:     loads(padded(2<<20, send(3, "POST", "/video", "$PAD$")))},
		{Name: "devices", Module: "waits", Sort: Wait, Back: "devices -back -peer {b}",
			Healthy: loads(get(5, "/set?id=d{{rand 1 300}}&to=on")), Ill: loads(get(40, "/set?id=d{{rand 1 300}}&to=off"))},
		{Name: "renders", Module: "waits", Sort: Wait, Back: "renders -back -peer {b}", Healthy: loads(get(20, "/thumbnail")),
			Ill: loads(get(0.7, "/poster"))},
		{Name: "press", Module: "third", Sort: Wait,
			Healthy: loads(get(6, "/books/b{{seq}}/preview"), get(0.2, "/books/b{{seq}}")),
			Ill:     loads(get(12, "/books/b{{seq 1000}}"))},
		{Name: "statusboard", Module: "third", Sort: Wait, Back: "statusboard -back -peer {b}",
			Healthy: loads(get(20, "/services/service{{rand 0 49}}")),
			Ill:     loads(leaving(time.Hour, get(5, "/services/service{{rand 0 49}}/follow")))},
		{Name: "orders", Module: "third", Sort: Wait, Back: "orders -back -peer {b}",
			Healthy: loads(send(2, "POST", "/orders?customer=c{{rand 1 99}}", ""), get(10, "/orders/count?customer=c1")),
			Ill:     loads(send(15, "POST", "/orders?customer=c{{rand 1 99}}", ""))},
		{Name: "logins", Module: "third", Sort: Wait, Healthy: loads(get(20, "/me?user=u{{rand 1 800}}")),
			Ill: loads(get(40, "/me?user=u{{seq 10000}}"))},
		{Name: "checkout", Module: "third", Sort: Wait, Back: "checkout -back -peer {b}",
			Healthy: loads(get(10, "/price?cart=oak"), get(5, "/currency")), Ill: loads(get(150, "/price?cart=oak"))},
		{Name: "agents", Module: "third", Sort: Wait, Args: "-public {c}", Clients: agents},
		{Name: "desk", Module: "third", Sort: Wait,
			Healthy: loads(send(6, "POST", "/jobs/prints", ""), get(3, "/jobs/prints")),
			Ill:     loads(send(6, "POST", "/jobs/kind{{rand 1 5}}", ""))},
		{Name: "scans", Module: "fifth", Sort: Wait, Always: "each answer takes a second from the first one on",
			Ill: loads(padded(60_000, send(20, "PUT", "/scans/p{{seq}}", "$PAD$")))},
		{Name: "tickets", Module: "fifth", Sort: Wait, Back: "redis",
			Healthy: loads(send(13, "POST", "/shows/s{{rand 1 40}}/seats", "")),
			Ill:     loads(leaving(40*time.Millisecond, send(1, "POST", "/shows/s{{rand 1 40}}/seats", "")))},
		{Name: "meters", Module: "seventh", Sort: Wait, Back: "peer",
			Healthy: loads(send(6, "POST", "/tenants/t{{rand 1 50}}/meters/m{{rand 1 20}}", "17")),
			Ill:     loads(send(36, "POST", "/tenants/large/meters/m{{rand 1 400}}", "17"))},

		{Name: "accounts", Module: "third", Sort: CPU, Healthy: loads(get(5, "/ready")),
			Always: "each check of a password takes 65 ms of CPU, as it should: these requests came in addition",
			Ill:    loads(header("Authorization", "Basic YW5uYTphbm5hJ3MgcGFzc3dvcmQ=", get(14, "/balance")))},
		{Name: "calendar", Module: "third", Sort: CPU, Always: "what is asked from then on takes milliseconds of CPU",
			Healthy: loads(get(5, "/count")), Ill: loads(get(80, "/week"))},
		{Name: "preview", Module: "third", Sort: CPU, Healthy: loads(get(20, "/pictures/{{rand 1 100000}}")),
			Ill: loads(get(40, "/pictures/{{rand 1 100000}}/preview"))},
		{Name: "consumer", Module: "third", Sort: CPU, Back: "consumer -back -addr {c} -peer {b}",
			Healthy: loads(get(5, "/customers/c{{rand 1 50}}"), send(10, "POST", "/customers/c{{rand 1 50}}", "")),
			Ill:     loads(once(send(1, "POST", "http://{c}/restart", "")))},

		{Name: "lrufill", Module: "leaks", Sort: Nothing, Ill: loads(get(400, "/documents/d{{rand 1 100000}}"))},
		{Name: "burst", Module: "leaks", Sort: Nothing, Healthy: loads(get(5, "/reports/u{{rand 1 99}}")),
			Ill: loads(shortly(get(35, "/reports/u{{rand 1 99}}/export")))},
	}
}

// loads are pieces of a load.
func loads(all ...trial.Load) []trial.Load { return all }

// send is requests at random times.
func send(rate float64, method, path, body string) trial.Load {
	return trial.Load{Pace: fmt.Sprint("poisson ", rate), Timeout: trial.Duration(time.Minute),
		Targets: []trial.Target{{Method: method, URL: path, Body: body}}}
}

func get(rate float64, path string) trial.Load { return send(rate, "GET", path, "") }

// leaving is a load of clients that go after a while.
func leaving(after time.Duration, l trial.Load) trial.Load {
	l.Timeout = trial.Duration(after)
	return l
}

// padded is a load whose body has n bytes for $PAD$.
func padded(n int, l trial.Load) trial.Load {
	l.Targets[0].Pad = n
	return l
}

func header(name, value string, l trial.Load) trial.Load {
	l.Targets[0].Header = map[string]string{name: value}
	return l
}

// from is a load that comes through a proxy from these addresses.
func from(address string, l trial.Load) trial.Load { return header("X-Forwarded-For", address, l) }

// once is one request, and shortly a load that ends after half a minute.
func once(l trial.Load) trial.Load {
	l.Pace = "constant 1 1s"
	return l
}

func shortly(l trial.Load) trial.Load {
	l.Pace += " 30s"
	return l
}

// list is a load of lists of so many transactions.
func list(n int, rate float64) trial.Load {
	l := send(rate, "POST", "/transactions?from=peer{{rand 1 9}}",
		`{"ref":"t{{rand 1 999999999}}","payload":"c29tZSBieXRlcw=="}`)
	l.Targets[0].Repeat, l.Targets[0].Join, l.Targets[0].Wrap = n, ",", "[|]"
	return l
}

// form is a form of so many fields that is filled in.
func form(fields int) string {
	var all []string
	for i := range fields {
		all = append(all, fmt.Sprintf(`"field%d":"text"`, i))
	}
	return "{" + strings.Join(all, ",") + "}"
}
