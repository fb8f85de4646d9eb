package cli

// engineText explains addresses of engines, for the help of what takes a URL.
const engineText = `A URL may also be a service in an engine that watches it already:
pyroscope://host:4040?service=shop, parca://host:7070?service=shop or
prometheus://host:9090?service=shop; with TLS pyroscope+https://…`
