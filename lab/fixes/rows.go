package main

// A row is a sick program by another hand, and what it is to be cured of. Its source is the repository's, and nobody
// touches it: what is measured is what casebook fix makes of it.
type row struct {
	name   string
	from   string   // the folder of the program, below lab
	module string   // the folder of its go.mod, below lab; "" where the program needs nothing but the standard library
	with   []string // folders that it imports, below lab
	args   []string // of the program that is sick
	kinds  []string // of findings: the first that the case has is fixed
}

// rows are the hold-outs and modules whose cure is a change at a line or two, as their authors describe it in
// holdout.json and modules.json. The last ones are those that no rewriter dares.
func rows() []row {
	holdout := func(n, name string, kinds ...string) row {
		r := row{name: name, from: "holdout" + n + "/" + name, kinds: kinds}
		if n == "3" || n == "4" || n == "5" {
			r.module, r.with = "holdout"+n, []string{"holdout" + n + "/internal"}
		}
		return r
	}
	module := func(name, program, flag string, kinds ...string) row {
		r := row{name: name, from: "modules/" + program, module: "modules", with: []string{"modules/serve"}, kinds: kinds}
		if flag != "" {
			r.args = []string{flag}
		}
		return r
	}
	return []row{
		holdout("", "assets", "alloc-buffer-per-call"),
		holdout("", "gatekeeper", "regexp-compile"),
		holdout("", "newsdesk", "goroutine-leak"),
		holdout("", "courier", "connection-leak", "goroutine-leak"),
		holdout("", "partner", "net-dns-tls", "net-no-keepalive"),
		holdout("", "pump", "alloc-timer", "timer-leak"),
		holdout("", "toggles", "lock-rwmutex", "lock-contention"),
		holdout("", "meterd", "alloc-fmt"),
		holdout("", "reportd", "alloc-string-concat"),
		holdout("", "sweeper", "gc-forced"),
		holdout("2", "ushers", "lock-never-released"),
		holdout("2", "bellhop", "gomaxprocs-mismatch"),
		holdout("2", "teletype", "io-small"),
		holdout("3", "geoquote", "connection-leak", "goroutine-leak"),
		holdout("3", "tours", "io-reread", "alloc-loop-invariant"),
		holdout("3", "statement", "alloc-string-concat"),
		holdout("3", "tariffs", "alloc-fmt", "cpu-logging"),
		holdout("4", "agenda", "io-reread", "alloc-loop-invariant"),
		holdout("4", "mailroom", "mem-leak", "cpu-hot-function", "cpu-linear-search"),
		holdout("4", "tickstore", "io-small"),
		holdout("5", "kitchen", "goroutine-leak", "goroutine-stuck"),
		holdout("5", "metasearch", "goroutine-leak"),
		module("quotes-fields", "quotes", "", "io-small"),
		module("exports-lines", "exports", "", "io-small"),
		module("letters-pieces", "letters", "", "io-small"),
		module("carbon-lines", "carbon", "", "io-small"),
		module("zap-sprintf", "zap", "-sick", "alloc-fmt", "cpu-logging"),
		module("sqlite-rows", "sqlite", "-sick", "connection-leak"),

		holdout("2", "glossary", "template-parse"),
		holdout("2", "sieve", "alloc-site", "alloc-bytes-string"),
		holdout("3", "pingback", "net-dns-tls", "net-no-keepalive"),
		holdout("3", "signup", "reflect-per-call", "alloc-loop-invariant"),
		holdout("4", "sparks", "alloc-string-concat"),
		holdout("4", "weather", "cpu-copy", "cpu-hot-function"),
		holdout("", "hits", "lock-syncmap", "alloc-boxing"),
		holdout("", "contacts", "cpu-quadratic", "cpu-linear-search"),
	}
}
