package diagnose

// knownFaults is the list. An entry is there only if its page was read, its functions were read in the source of a
// release with the fault, and the repair in that of the release that is named: most in golang/vulndb (data/reports),
// the rest in the modules' histories. It lists what a profile can tell from ordinary use, not all that is known.
func knownFaults() []knownFault {
	return []knownFault{
		tokenSplit("cuts a token at every dot before it looks at it: a header of dots becomes 16 times as much memory",
			"https://pkg.go.dev/vuln/GO-2025-3553", []string{".(*Parser).ParseUnverified"},
			affected{"github.com/golang-jwt/jwt/v5", "v5.0.0", "v5.2.2"},
			affected{"github.com/golang-jwt/jwt/v4", "", "v4.5.2"}),
		tokenSplit("cuts a token at every dot before it looks at it: one of many dots takes much memory",
			"https://pkg.go.dev/vuln/GO-2025-3485",
			[]string{".ParseSignedCompact", ".parseSignedCompact", ".ParseEncryptedCompact", ".parseEncryptedCompact"},
			affected{"github.com/go-jose/go-jose/v4", "", "v4.0.5"},
			affected{"github.com/go-jose/go-jose/v3", "", "v3.0.4"}),
		tokenSplit("cuts a token at every dot before it looks at it: one of many dots takes much memory",
			"https://pkg.go.dev/vuln/GO-2025-3488", []string{"/jws.Verify"},
			affected{"golang.org/x/oauth2", "", "v0.27.0"}),
		{what: "makes lower-case copies of whole attributes, however long, to compare them with a short word",
			releases: []affected{{"golang.org/x/net", "v0.1.0", "v0.33.0"}},
			in:       []string{"/html.parseDoctype", "/html.htmlIntegrationPoint", "/html.inTableIM", "/html.inBodyIM"},
			of:       []string{"strings.ToLower"}, page: "https://pkg.go.dev/vuln/GO-2024-3333"},
		{what: "looks at every key that may still begin a mapping, for each token: in quadratic time",
			releases: []affected{{"gopkg.in/yaml.v2", "", "v2.2.8"}},
			in:       []string{".yaml_parser_fetch_more_tokens"},
			of: []string{"gopkg.in/yaml.v2.yaml_parser_fetch_more_tokens",
				"gopkg.in/yaml.v2.yaml_simple_key_is_valid", "gopkg.in/yaml.v2.yaml_parser_stale_simple_keys"},
			page: "https://pkg.go.dev/vuln/GO-2020-0036"},
		tokenSplit("cuts the headers that a preflight asks for at every comma before it looks at them: many of them take memory",
			"https://pkg.go.dev/vuln/GO-2024-2883", []string{".(*Cors).handlePreflight"},
			affected{"github.com/rs/cors", "v1.10.0", "v1.11.0"}),
		promhttpMethods(),
		otelhttpPeers(),
		{what: "makes a series for each address and port that calls come from, and keeps them",
			releases: []affected{{"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc",
				"v0.37.0", "v0.46.0"}},
			in:   []string{".UnaryServerInterceptor.func1", ".UnaryServerInterceptor.func1.1"},
			of:   []string{otelMetrics, "go.opentelemetry.io/otel/attribute.", "go.opentelemetry.io/otel/metric."},
			seen: growthBelow, page: "https://pkg.go.dev/vuln/GO-2023-2331"},
		{what: "gives every series a random generator of its own, of 5 KiB",
			releases: []affected{{"go.opentelemetry.io/otel/sdk/metric", "v1.31.0", "v1.36.0"}},
			in:       []string{"/exemplar.newFixedSizeReservoir", "/exemplar.NewFixedSizeReservoir"},
			of:       []string{"math/rand.newSource", "math/rand.NewSource"}, seen: heldBelow,
			page: "https://github.com/open-telemetry/opentelemetry-go/issues/6788"},
		otelInstruments(),
		{what: "keeps the requests for a connection that have ended when dialling fails or is too slow",
			releases: []affected{{"github.com/redis/go-redis/v9", "v9.17.0", "v9.17.3"}},
			in:       []string{"/internal/pool.(*ConnPool).queuedNewConn"}, seen: growthBelow,
			page: "https://github.com/redis/go-redis/issues/3678"},
		{what: "keeps finished tasks, and what they refer to, until their place in its queue is used again",
			releases: []affected{{"github.com/alitto/pond/v2", "v2.2.0", "v2.3.3"}},
			in: []string{".(*pool).Submit", ".(*pool).SubmitErr", ".(*pool).TrySubmit", ".(*pool).TrySubmitErr",
				".(*pool).Go", ".(*taskGroup).Submit", ".(*taskGroup).SubmitErr", ".(*resultPool[...]).Submit",
				".(*resultPool[...]).SubmitErr", ".(*resultTaskGroup[...]).Submit",
				".(*resultTaskGroup[...]).SubmitErr"},
			seen: heldByCallers, page: "https://github.com/alitto/pond/issues/110"},

		{what: "asks the kernel to join pages to huge ones (MADV_COLLAPSE) while it holds the lock of the heap",
			releases: []affected{{goItself, "go1.21.1", "go1.21.4"}},
			in:       []string{"runtime.sysHugePageCollapse", "runtime.sysHugePageCollapseOS"},
			page:     "https://go.dev/issue/63334"},
		joinedInLoop("joins the parts of an address one by one: long comments and phrases take quadratic time",
			"https://pkg.go.dev/vuln/GO-2026-4986", []string{"net/mail.(*addrParser).consumeComment",
				"net/mail.(*addrParser).consumePhrase"},
			affected{goItself, "", "go1.25.10"}, affected{goItself, "go1.26.0", "go1.26.3"}),
		joinedInLoop("joins the characters of a domain in brackets one by one, in quadratic time",
			"https://pkg.go.dev/vuln/GO-2025-4006", []string{"net/mail.(*addrParser).consumeDomainLiteral"},
			affected{goItself, "", "go1.24.8"}, affected{goItself, "go1.25.0", "go1.25.2"}),
		{what: "searches all that follows for an END line at every BEGIN line: many of them take quadratic time",
			releases: []affected{{goItself, "", "go1.24.8"}, {goItself, "go1.25.0", "go1.25.2"}},
			in:       []string{"encoding/pem.Decode"}, of: []string{"bytes.Index", "bytes.Cut"},
			page: "https://pkg.go.dev/vuln/GO-2025-4009"},
	}
}

// otelMetrics is the package that keeps the series of OpenTelemetry.
const otelMetrics = "go.opentelemetry.io/otel/sdk/metric."

// tokenSplit is the fault of strings.Split on a token or header that nobody has checked yet.
func tokenSplit(what, page string, in []string, releases ...affected) knownFault {
	return knownFault{what: what, releases: releases, in: in, of: []string{"strings.genSplit"}, page: page}
}

// joinedInLoop is the fault of strings that are joined in a loop.
func joinedInLoop(what, page string, in []string, releases ...affected) knownFault {
	return knownFault{what: what, releases: releases, in: in, page: page,
		of: []string{"runtime.concatstrings", "runtime.concatstring2", "runtime.concatstring3"}}
}

func promhttpMethods() knownFault {
	return knownFault{what: "makes a series for each request method, also for made-up ones, and keeps them",
		releases: []affected{{"github.com/prometheus/client_golang", "", "v1.11.1"}},
		in: []string{"/prometheus/promhttp.InstrumentHandlerDuration.func1",
			"/prometheus/promhttp.InstrumentHandlerDuration.func2",
			"/prometheus/promhttp.InstrumentHandlerCounter.func1",
			"/prometheus/promhttp.InstrumentHandlerCounter.func2",
			"/prometheus/promhttp.InstrumentHandlerRequestSize.func1",
			"/prometheus/promhttp.InstrumentHandlerRequestSize.func2",
			"/prometheus/promhttp.InstrumentHandlerResponseSize.func1",
			"/prometheus/promhttp.InstrumentHandlerTimeToWriteHeader.func1.1"},
		of:   []string{"github.com/prometheus/client_golang/prometheus.(*metricMap).getOrCreateMetricWithLabels"},
		seen: growthBelow, page: "https://pkg.go.dev/vuln/GO-2022-0322"}
}

func otelhttpPeers() knownFault {
	return knownFault{what: "makes a series for each port, agent and method that requests come with, and keeps them",
		releases: []affected{{"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp", "", "v0.44.0"}},
		in:       []string{".(*middleware).serveHTTP", ".(*Handler).ServeHTTP"},
		of:       []string{otelMetrics, "go.opentelemetry.io/otel/attribute.", "go.opentelemetry.io/otel/metric."},
		seen:     growthBelow, page: "https://github.com/open-telemetry/opentelemetry-go-contrib/pull/4277"}
}

func otelInstruments() knownFault {
	k := knownFault{what: "keeps an instrument each time that it is made before a provider is set, also the same again",
		releases: []affected{{"go.opentelemetry.io/otel", "v1.16.0", "v1.30.0"}},
		seen:     growthBelow, page: "https://github.com/open-telemetry/opentelemetry-go/issues/5753"}
	for _, of := range []string{"Int64", "Float64"} {
		for _, kind := range []string{"Counter", "UpDownCounter", "Histogram", "Gauge", "ObservableCounter",
			"ObservableUpDownCounter", "ObservableGauge"} {
			k.in = append(k.in, "/internal/global.(*meter)."+of+kind)
		}
	}
	return k
}
