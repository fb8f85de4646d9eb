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
}
