package notes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/gocasebook/casebook/app/notes"
)

// TestFaults: go.mod files of others, with packages that the programs import. The page names them.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		program, require, pkg string
		note                  string // "": none
	}{
		{"node_exporter v1.2.2", "github.com/prometheus/client_golang v1.11.0", "/prometheus/promhttp", "v1.11.1 or later"},
		{"caddy v2.9.0", "github.com/quic-go/quic-go v0.48.2", "", "v0.50.0 or later"},
		{"k8s.io/apiserver v0.31.0", "github.com/emicklei/go-restful/v3 v3.11.0", "", "v3.13.0 or later"},
		{"natscli v0.2.2", "github.com/nats-io/nats.go v1.41.1", "", "v1.41.2 or later"},
		{"etcd v3.5.16", "github.com/golang-jwt/jwt/v4 v4.4.2", "", "Upgrade to v4.5.2 or later"},
		{"of a rule that ends where its functions moved", "github.com/jackc/pgx/v5 v5.5.5", "/pgconn/internal/ctxwatch",
			"to v5.9.0 or later"},

		{"caddy v2.11.0", "github.com/quic-go/quic-go v0.59.0", "", ""},
		{"etcd v3.5.16, without html", "golang.org/x/net v0.23.0", "/idna", ""},
		{"natscli, a commit", "github.com/nats-io/nats.go v1.41.2-0.20250415143905-6d2d2b1ad5a0", "", ""},
		{"a release before the fault came", "github.com/redis/go-redis/v9 v9.0.5", "/internal/pool", ""},
		{"node_exporter, without promhttp", "github.com/prometheus/client_golang v1.11.0", "/prometheus", ""},
	} {
		file, err := modfile.ParseLax("go.mod", []byte("module x\n\nrequire "+c.require+"\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		m := file.Require[0].Mod
		got := notes.Faults([]notes.Module{{Path: m.Path, Version: m.Version, Packages: []string{m.Path + c.pkg}}})
		says := func(n notes.Note) bool { return strings.Contains(n.String(), c.note) }
		if (c.note == "" && len(got) > 0) || (c.note != "" && !slices.ContainsFunc(got, says)) {
			t.Errorf("%s: want %q, got %v", c.program, c.note, got)
		}
	}
}

// The stubs have what the sources name; the rows know their paths and versions.
const kafkaStub = `package kafka

import "context"

type Message struct{ Value []byte }
type Hash struct{}
type Writer struct {
	Addr, Topic, Balancer any
	BatchTimeout, BatchSize int
	Async bool
}
type WriterConfig struct {
	Brokers, Topic, Balancer any
	BatchTimeout int
}
func NewWriter(WriterConfig) *Writer { return nil }
func (*Writer) WriteMessages(context.Context, ...Message) error { return nil }
type Conn struct{}
func (*Conn) WriteMessages(...Message) (int, error) { return 0, nil }
func DialLeader() *Conn { return nil }
`

// module writes a module with vendored stubs: no module is downloaded, and vendor/modules.txt has the versions.
func module(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	stubs := map[string][2]string{ // by package: the module and its version, and the text
		"github.com/segmentio/kafka-go": {"github.com/segmentio/kafka-go v0.4.47", kafkaStub},
		"github.com/gomodule/redigo/redis": {"github.com/gomodule/redigo v1.9.2",
			"package redis\n\ntype Pool struct{ MaxIdle, MaxActive int }\n"},
		"k8s.io/client-go/rest": {"k8s.io/client-go v0.31.0",
			"package rest\n\ntype Config struct {\n\tHost string\n\tQPS float32\n\tRateLimiter any\n}\n"},
	}
	mod, list := "module example.org/shop\n\ngo 1.25\n", ""
	write := func(name, text string) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for pkg, stub := range stubs {
		mod += "\nrequire " + stub[0] + "\n"
		list += fmt.Sprintf("# %s\n## explicit\n%s\n", stub[0], pkg)
		write("vendor/"+pkg+"/stub.go", stub[1])
	}
	write("go.mod", mod)
	write("vendor/modules.txt", list)
	write("shop.go", source)
	return dir
}

// TestUnset: literals that leave a default, as others write them, and those that must stay quiet.
func TestUnset(t *testing.T) {
	t.Setenv("GOWORK", "off")
	const kafka = "package shop\n\nimport (\n\t\"context\"\n\n\t\"github.com/segmentio/kafka-go\"\n)\n\n" +
		"var _ kafka.Message\n\nfunc send(ctx context.Context) {\n"
	const redis = "package shop\n\nimport \"github.com/gomodule/redigo/redis\"\n\nvar pool = "
	const rest = "package shop\n\nimport k8s \"k8s.io/client-go/rest\"\n\n"
	for _, c := range []struct {
		name, source string
		setting      string // "": none
		line         int
	}{
		{"kafka-playground", kafka + "\tw := &kafka.Writer{Topic: \"t\", Balancer: &kafka.Hash{}}\n" +
			"\t_ = w.WriteMessages(ctx)\n}\n", "Writer.BatchTimeout", 12},
		{"goStudies", kafka + "\tw := kafka.NewWriter(kafka.WriterConfig{Topic: \"t\"})\n\t_ = w.WriteMessages(ctx)\n}\n",
			"Writer.BatchTimeout", 12},
		{"KubePi, renamed", rest + "var c = &k8s.Config{Host: \"h\"}\n", "Config.QPS", 5},
		{"a pool that keeps nothing", redis + "redis.Pool{MaxActive: 8}\n", "Pool.MaxIdle", 5},

		{"set", kafka + "\tw := &kafka.Writer{BatchTimeout: 10}\n\t_ = w.WriteMessages(ctx)\n}\n", "", 0},
		{"one of two sets it", kafka + "\tv := &kafka.Writer{}\n\tw := &kafka.Writer{BatchTimeout: 10}\n" +
			"\t_, _ = v.WriteMessages(ctx), w.WriteMessages(ctx)\n}\n", "", 0},
		{"kafka-rest-producer: set later", kafka + "\tw := &kafka.Writer{}\n\tw.Async = true\n" +
			"\t_ = w.WriteMessages(ctx)\n}\n", "", 0},
		{"a connection", kafka + "\t_, _ = kafka.DialLeader().WriteMessages()\n}\n", "", 0},
		{"nothing is written", kafka + "\t_ = &kafka.Writer{}\n}\n", "", 0},
		{"goProejct", redis + "redis.Pool{MaxIdle: 8}\n", "", 0},
		{"without keys", redis + "redis.Pool{8, 0}\n", "", 0},
		{"chainsaw: QPS afterwards", rest + "func c() *k8s.Config {\n\tc := &k8s.Config{Host: \"h\"}\n\tc.QPS = 300\n" +
			"\treturn c\n}\n", "", 0},
		{"a type of the program", rest + "type Config struct{}\n\nvar c, d = Config{}, k8s.Config{QPS: 1}\n", "", 0},
	} {
		p, err := notes.Look(t.Context(), module(t, c.source), "", []string{"./..."})
		if err != nil {
			t.Fatal(err)
		}
		got := p.Notes()
		if c.setting == "" && len(got) > 0 || c.setting != "" && (len(got) != 1 || got[0].Setting != c.setting ||
			got[0].Line != c.line || !strings.Contains(got[0].String(), "at its default")) {
			t.Errorf("%s: want %q, got %v of %v", c.name, c.setting, got, p.Modules)
		}
	}
}

// TestReplaced: code that stands under another module's name has no release.
func TestReplaced(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := module(t, "package shop\n\nimport \"github.com/gomodule/redigo/redis\"\n\nvar pool = redis.Pool{}\n")
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	fork := filepath.Join(dir, "vendor", "github.com", "gomodule", "redigo")
	mod = append(mod, "\nreplace github.com/gomodule/redigo => ./vendor/github.com/gomodule/redigo\n"...)
	for name, text := range map[string][]byte{filepath.Join(dir, "go.mod"): mod,
		filepath.Join(fork, "go.mod"): []byte("module github.com/gomodule/redigo\n")} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	p, err := notes.Look(t.Context(), dir, "", []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Notes(); len(got) > 0 || slices.ContainsFunc(p.Modules, func(m notes.Module) bool {
		return strings.HasSuffix(m.Path, "redigo")
	}) {
		t.Errorf("notes %v of %v", got, p.Modules)
	}
}

// TestOrder: what the program imports itself comes before what its modules import.
func TestOrder(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := module(t, "package shop\n\nimport \"k8s.io/client-go/rest\"\n\nvar _ rest.Config\n")
	stub := filepath.Join(dir, "vendor", "k8s.io", "client-go", "rest", "stub.go")
	text := "package rest\n\nimport _ \"github.com/segmentio/kafka-go\"\n\ntype Config struct{}\n"
	if err := os.WriteFile(stub, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := notes.Look(t.Context(), dir, "", []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	at := func(path string) int {
		return slices.IndexFunc(p.Modules, func(m notes.Module) bool { return m.Path == path })
	}
	if own, other := at("k8s.io/client-go"), at("github.com/segmentio/kafka-go"); own < 0 || other < own {
		t.Errorf("want client-go before kafka-go: %v", p.Modules)
	}
}
