package known

import "strings"

// A Fault is what one release does badly and a later one does well. Its functions are matched by their full names.
type Fault struct {
	// What the release does, as the end of a sentence that begins with its name: "cuts a token at every dot, …".
	What     string
	Releases []Affected
	// In are the functions with the fault, without the module's path ("/prometheus/promhttp.Handler", ".Parse"); those
	// of Go in full.
	In []string
	// Of are the functions below them that show it: in full, or all of a package if the name ends with a dot. One of In
	// shows it where it works itself. Nil: all.
	Of   []string
	Seen FaultSeen
	Page string // the advisory, release note or issue that says so, and in which releases
}

// A FaultSeen is what of a fault evidence can show.
type FaultSeen uint8

const (
	CPUAndGarbage FaultSeen = iota // CPU below the functions, with the collector's for their garbage
	HeldBelow                      // live memory allocated below them
	GrowthBelow                    // the same, if it grows from one heap profile to the next
	HeldByCallers                  // live memory allocated by the user's functions that call them
)

// GoItself is the module of the standard library and the runtime.
const GoItself = "Go"

// An Affected is the releases of a module that have a fault: from one on, and before another.
type Affected struct {
	Module string
	From   string // "": from the first
	Fixed  string
}

// String is the releases for a reader: "github.com/golang-jwt/jwt/v4 before v4.5.2".
func (a Affected) String() string {
	from := ""
	if a.From != "" {
		from = " from " + strings.TrimPrefix(a.From, "go")
	}
	return a.Module + from + " before " + strings.TrimPrefix(a.Fixed, "go")
}

// Has reports whether a release has the fault. A commit between releases, or a Go that somebody has patched, may have the
// repair or not: then nobody knows.
func (a Affected) Has(version string) bool {
	return version != "" && IsRelease(version) && CompareReleases(version, a.Fixed) < 0 &&
		(a.From == "" || CompareReleases(version, a.From) >= 0)
}

// Faults are those of all releases. An entry is there only if its page was read, its functions were read in the source
// of a release with the fault, and the repair in that of the release that is named: most in golang/vulndb
// (data/reports), the rest in the modules' histories. It lists what a profile can tell from ordinary use, not all that
// is known.
func Faults() []Fault {
	return []Fault{
		tokenSplit("cuts a token at every dot before it looks at it: a header of dots becomes 16 times as much memory",
			"https://pkg.go.dev/vuln/GO-2025-3553", []string{".(*Parser).ParseUnverified"},
			Affected{"github.com/golang-jwt/jwt/v5", "v5.0.0", "v5.2.2"},
			Affected{"github.com/golang-jwt/jwt/v4", "", "v4.5.2"}),
		tokenSplit("cuts a token at every dot before it looks at it: one of many dots takes much memory",
			"https://pkg.go.dev/vuln/GO-2025-3485",
			[]string{".ParseSignedCompact", ".parseSignedCompact", ".ParseEncryptedCompact", ".parseEncryptedCompact"},
			Affected{"github.com/go-jose/go-jose/v4", "", "v4.0.5"},
			Affected{"github.com/go-jose/go-jose/v3", "", "v3.0.4"}),
		tokenSplit("cuts a token at every dot before it looks at it: one of many dots takes much memory",
			"https://pkg.go.dev/vuln/GO-2025-3488", []string{"/jws.Verify"},
			Affected{"golang.org/x/oauth2", "", "v0.27.0"}),
		{What: "makes lower-case copies of whole attributes, however long, to compare them with a short word",
			Releases: []Affected{{"golang.org/x/net", "v0.1.0", "v0.33.0"}},
			In:       []string{"/html.parseDoctype", "/html.htmlIntegrationPoint", "/html.inTableIM", "/html.inBodyIM"},
			Of:       []string{"strings.ToLower"}, Page: "https://pkg.go.dev/vuln/GO-2024-3333"},
		{What: "looks at every key that may still begin a mapping, for each token: in quadratic time",
			Releases: []Affected{{"gopkg.in/yaml.v2", "", "v2.2.8"}},
			In:       []string{".yaml_parser_fetch_more_tokens"},
			Of: []string{"gopkg.in/yaml.v2.yaml_parser_fetch_more_tokens",
				"gopkg.in/yaml.v2.yaml_simple_key_is_valid", "gopkg.in/yaml.v2.yaml_parser_stale_simple_keys"},
			Page: "https://pkg.go.dev/vuln/GO-2020-0036"},
		{What: "cuts the headers that a preflight asks for at every comma before it looks at them: many of them " +
			"take memory",
			Releases: []Affected{{"github.com/rs/cors", "v1.10.0", "v1.11.0"}},
			In:       []string{".(*Cors).handlePreflight"},
			Of:       []string{"strings.genSplit", "github.com/rs/cors.splitHeaderValues"},
			Page:     "https://pkg.go.dev/vuln/GO-2024-2883"},
		promhttpMethods(),
		otelhttpPeers(),
		{What: "makes a series for each address and port that calls come from, and keeps them",
			Releases: []Affected{{"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc",
				"v0.37.0", "v0.46.0"}},
			In:   []string{".UnaryServerInterceptor.func1", ".UnaryServerInterceptor.func1.1"},
			Of:   []string{otelMetrics, "go.opentelemetry.io/otel/attribute.", "go.opentelemetry.io/otel/metric."},
			Seen: GrowthBelow, Page: "https://pkg.go.dev/vuln/GO-2023-2331"},
		{What: "gives every series a random generator of its own, of 5 KiB",
			Releases: []Affected{{"go.opentelemetry.io/otel/sdk/metric", "v1.31.0", "v1.36.0"}},
			In:       []string{"/exemplar.newFixedSizeReservoir", "/exemplar.NewFixedSizeReservoir"},
			Of:       []string{"math/rand.newSource", "math/rand.NewSource"}, Seen: HeldBelow,
			Page: "https://github.com/open-telemetry/opentelemetry-go/issues/6788"},
		otelInstruments(),
		{What: "keeps the requests for a connection that have ended when dialling fails or is too slow",
			Releases: []Affected{{"github.com/redis/go-redis/v9", "v9.17.0", "v9.17.3"}},
			In:       []string{"/internal/pool.(*ConnPool).queuedNewConn"}, Seen: GrowthBelow,
			Page: "https://github.com/redis/go-redis/issues/3678"},
		{What: "keeps finished tasks, and what they refer to, until their place in its queue is used again",
			Releases: []Affected{{"github.com/alitto/pond/v2", "v2.2.0", "v2.3.3"}},
			In: []string{".(*pool).Submit", ".(*pool).SubmitErr", ".(*pool).TrySubmit", ".(*pool).TrySubmitErr",
				".(*pool).Go", ".(*taskGroup).Submit", ".(*taskGroup).SubmitErr", ".(*resultPool[...]).Submit",
				".(*resultPool[...]).SubmitErr", ".(*resultTaskGroup[...]).Submit",
				".(*resultTaskGroup[...]).SubmitErr"},
			Seen: HeldByCallers, Page: "https://github.com/alitto/pond/issues/110"},

		{What: "puts an option more before those of a handler with each request, and then runs all of them",
			Releases: []Affected{{"github.com/newrelic/go-agent/v3", "v3.18.0", "v3.18.2"}},
			In: []string{"/newrelic.WrapHandle.func1", "/newrelic.WrapHandleFunc.WrapHandle.func2",
				"/newrelic.WrapHandleFunc.WrapHandle.func3"},
			Page: "https://github.com/newrelic/go-agent/issues/557"},
		{What: "makes the objects of its data anew at each step that looks at them, and keeps none",
			Releases: []Affected{{"github.com/open-policy-agent/opa", "v0.47.0", "v0.54.0"}},
			In:       []string{"/ast.(*lazyObj).Find", "/ast.(*lazyObj).Get"},
			Of: []string{"github.com/open-policy-agent/opa/ast.MustInterfaceToValue",
				"github.com/open-policy-agent/opa/ast.InterfaceToValue"},
			Page: "https://github.com/open-policy-agent/opa/issues/6009"},
		{What: "asks the kernel to join pages to huge ones (MADV_COLLAPSE) while it holds the lock of the heap",
			Releases: []Affected{{GoItself, "go1.21.1", "go1.21.4"}},
			In:       []string{"runtime.sysHugePageCollapse", "runtime.sysHugePageCollapseOS"},
			Page:     "https://go.dev/issue/63334"},
		joinedInLoop("joins the parts of an address one by one: long comments and phrases take quadratic time",
			"https://pkg.go.dev/vuln/GO-2026-4986", []string{"net/mail.(*addrParser).consumeComment",
				"net/mail.(*addrParser).consumePhrase"},
			Affected{GoItself, "", "go1.25.10"}, Affected{GoItself, "go1.26.0", "go1.26.3"}),
		joinedInLoop("joins the characters of a domain in brackets one by one, in quadratic time",
			"https://pkg.go.dev/vuln/GO-2025-4006", []string{"net/mail.(*addrParser).consumeDomainLiteral"},
			Affected{GoItself, "", "go1.24.8"}, Affected{GoItself, "go1.25.0", "go1.25.2"}),
		{What: "searches all that follows for an END line at every BEGIN line: many of them take quadratic time",
			Releases: []Affected{{GoItself, "", "go1.24.8"}, {GoItself, "go1.25.0", "go1.25.2"}},
			In:       []string{"encoding/pem.Decode"}, Of: []string{"bytes.Index", "bytes.Cut"},
			Page: "https://pkg.go.dev/vuln/GO-2025-4009"},
	}
}

// otelMetrics is the package that keeps the series of OpenTelemetry.
const otelMetrics = "go.opentelemetry.io/otel/sdk/metric."

// tokenSplit is the fault of strings.Split on a token or header that nobody has checked yet.
func tokenSplit(what, page string, in []string, releases ...Affected) Fault {
	return Fault{What: what, Releases: releases, In: in, Of: []string{"strings.genSplit"}, Page: page}
}

// joinedInLoop is the fault of strings that are joined in a loop.
func joinedInLoop(what, page string, in []string, releases ...Affected) Fault {
	return Fault{What: what, Releases: releases, In: in, Page: page,
		Of: []string{"runtime.concatstrings", "runtime.concatstring2", "runtime.concatstring3"}}
}

func promhttpMethods() Fault {
	return Fault{What: "makes a series for each request method, also for made-up ones, and keeps them",
		Releases: []Affected{{"github.com/prometheus/client_golang", "", "v1.11.1"}},
		In: []string{"/prometheus/promhttp.InstrumentHandlerDuration.func1",
			"/prometheus/promhttp.InstrumentHandlerDuration.func2",
			"/prometheus/promhttp.InstrumentHandlerCounter.func1",
			"/prometheus/promhttp.InstrumentHandlerCounter.func2",
			"/prometheus/promhttp.InstrumentHandlerRequestSize.func1",
			"/prometheus/promhttp.InstrumentHandlerRequestSize.func2",
			"/prometheus/promhttp.InstrumentHandlerResponseSize.func1",
			"/prometheus/promhttp.InstrumentHandlerTimeToWriteHeader.func1.1"},
		Of:   []string{"github.com/prometheus/client_golang/prometheus.(*metricMap).getOrCreateMetricWithLabels"},
		Seen: GrowthBelow, Page: "https://pkg.go.dev/vuln/GO-2022-0322"}
}

func otelhttpPeers() Fault {
	return Fault{What: "makes a series for each port, agent and method that requests come with, and keeps them",
		Releases: []Affected{{"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp", "", "v0.44.0"}},
		In:       []string{".(*middleware).serveHTTP", ".(*Handler).ServeHTTP"},
		Of:       []string{otelMetrics, "go.opentelemetry.io/otel/attribute.", "go.opentelemetry.io/otel/metric."},
		Seen:     GrowthBelow, Page: "https://github.com/open-telemetry/opentelemetry-go-contrib/pull/4277"}
}

func otelInstruments() Fault {
	k := Fault{What: "keeps an instrument each time that it is made before a provider is set, also the same again",
		Releases: []Affected{{"go.opentelemetry.io/otel", "v1.16.0", "v1.30.0"}},
		Seen:     GrowthBelow, Page: "https://github.com/open-telemetry/opentelemetry-go/issues/5753"}
	for _, of := range []string{"Int64", "Float64"} {
		for _, kind := range []string{"Counter", "UpDownCounter", "Histogram", "Gauge", "ObservableCounter",
			"ObservableUpDownCounter", "ObservableGauge"} {
			k.In = append(k.In, "/internal/global.(*meter)."+of+kind)
		}
	}
	return k
}
