package main

// A service is one of a public project. In its arguments, files and environment {port} is its own port, {debug}
// another, {dir} a folder for it.
type service struct {
	module, pkg string // with a version; how the import path of the program ends
	router      string
	args        string
	env         []string
	files       map[string]string // in {dir}
	path        string            // of its own that answers; "" if it serves no HTTP
	profiles    string            // where they are served already; "" if the change serves them
	vendored    bool              // its dependencies are put into a folder vendor before it is looked at
}

var services = []service{
	{module: "github.com/mccutchen/go-httpbin/v2@v2.26.0", pkg: "/cmd/go-httpbin", router: "net/http", args: "-host 127.0.0.1 -port {port}", path: "/get"},
	{module: "github.com/jpillora/chisel@v1.7.7", pkg: "/chisel", router: "net/http", args: "server --host 127.0.0.1 --port {port}", path: "/health"},
	{module: "github.com/fsouza/fake-gcs-server@v1.47.3", pkg: "/fake-gcs-server", router: "gorilla/mux",
		args: "-scheme http -host 127.0.0.1 -port {port} -backend memory", path: "/storage/v1/b"},
	{module: "github.com/stefanprodan/podinfo@v1.8.1-0.20250910200901-e86405a8674e", pkg: "/cmd/podinfo", router: "gorilla/mux, gRPC, several programs",
		args: "--host 127.0.0.1 --port {port}", path: "/healthz", profiles: "http://127.0.0.1:{port}/debug/pprof/"},
	{module: "helm.sh/chartmuseum@v0.13.1", pkg: "/cmd/chartmuseum", router: "gin",
		args: "--storage local --storage-local-rootdir {dir}/charts --listen-host 127.0.0.1 --port {port}", path: "/health"},
	{module: "github.com/versity/versitygw@v1.8.0", pkg: "/cmd/versitygw", router: "fiber, urfave/cli",
		args: "--port 127.0.0.1:{port} --pprof 127.0.0.1:{debug} --health /health posix {dir}", env: []string{"ROOT_ACCESS_KEY=test", "ROOT_SECRET_KEY=testtesttest"},
		path: "/health", profiles: "http://127.0.0.1:{debug}/debug/pprof/"},
	{module: "github.com/google/go-containerregistry@v0.22.1", pkg: "/cmd/registry", router: "net/http, several programs", args: "-port {port}", path: "/v2/"},
	{module: "github.com/buraksezer/olric@v0.5.6", pkg: "/cmd/olricd", router: "none: RESP over TCP", args: "-c {dir}/olricd.yaml",
		files: map[string]string{"olricd.yaml": "server:\n  bindAddr: 127.0.0.1\n  bindPort: {port}\n  serializer: msgpack\n  keepAlivePeriod: 300s\n" +
			"  bootstrapTimeout: 5s\n  partitionCount: 13\n  replicaCount: 1\n  writeQuorum: 1\n  readQuorum: 1\n  memberCountQuorum: 1\n" +
			"authentication:\n  password: \"\"\nclient:\n  dialTimeout: 8s\nlogging:\n  verbosity: 1\n  level: ERROR\n  output: stderr\n" +
			"memberlist:\n  environment: local\n  bindAddr: 127.0.0.1\n  bindPort: 0\n"}},
	{module: "github.com/benbjohnson/litestream@v0.5.18", pkg: "/cmd/litestream", router: "net/http, several programs",
		args: "replicate -config {dir}/litestream.yml", files: map[string]string{"litestream.yml": "addr: 127.0.0.1:{debug}\ndbs:\n" +
			"  - path: {dir}/a.db\n    replicas:\n      - path: {dir}/replica\n"}, profiles: "http://127.0.0.1:{debug}/debug/pprof/"},
	{module: "github.com/schollz/croc/v10@v10.7.0", pkg: "/v10", router: "net/http and TCP, urfave/cli",
		args: "relay --host 127.0.0.1 --port {port} --transfers 2"},
	{module: "github.com/nsqio/nsq@v1.3.0", pkg: "/apps/nsq_to_file", router: "none: a consumer of a queue",
		args: "-topic t -output-dir {dir} -lookupd-http-address 127.0.0.1:{port}"},
	{module: "github.com/nsqio/nsq@v1.3.0", pkg: "/apps/nsqd", router: "httprouter and TCP, vendored", vendored: true,
		args: "-data-path {dir} -tcp-address 127.0.0.1:0 -http-address 127.0.0.1:{port}", path: "/ping",
		profiles: "http://127.0.0.1:{port}/debug/pprof/"},
	{module: "github.com/aptible/supercronic@v0.2.34", pkg: "/supercronic", router: "none: a cron",
		args: "{dir}/crontab", files: map[string]string{"crontab": "* * * * * true\n"}},
	{module: "github.com/aptible/supercronic@v0.2.34", pkg: "/supercronic", router: "none: a cron, vendored",
		vendored: true, args: "{dir}/crontab", files: map[string]string{"crontab": "* * * * * true\n"}},
	{module: "github.com/charmbracelet/charm@v0.12.6", pkg: "/charm", router: "goji and SSH, cobra serve",
		args: "serve", env: []string{"CHARM_SERVER_BIND_ADDRESS=127.0.0.1", "CHARM_SERVER_HOST=127.0.0.1",
			"CHARM_SERVER_HTTP_PORT={port}", "CHARM_SERVER_SSH_PORT={debug}", "CHARM_SERVER_STATS_PORT=0",
			"CHARM_SERVER_HEALTH_PORT=0",
			"CHARM_SERVER_DATA_DIR={dir}/charm"}},
	{module: "github.com/pocketbase/pocketbase@v0.22.20", pkg: "/examples/base",
		router: "echo, cobra serve in a library",
		args:   "serve --http 127.0.0.1:{port} --dir {dir}/pb", path: "/api/health"},
	{module: "github.com/usememos/memos@v0.22.0", pkg: "/bin/memos", router: "echo and gRPC, cobra",
		args: "--mode prod --addr 127.0.0.1 --port {port} --data {dir}", path: "/healthz"},
	{module: "github.com/open-policy-agent/opa@v1.4.2", pkg: "/opa", vendored: true,
		router: "gorilla/mux, cobra run in a library, vendored",
		args:   "run --server --pprof --disable-telemetry --addr 127.0.0.1:{port}", path: "/health",
		profiles: "http://127.0.0.1:{port}/debug/pprof/"},
	{module: "github.com/valyala/fasthttp@v1.69.0", pkg: "/examples/fileserver", router: "fasthttp",
		args: "-addr 127.0.0.1:{port} -dir {dir}", path: "/stats"},
}
