package worker

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// A Config says how a worker runs. DefaultConfig is its healthy form.
type Config struct {
	serve.Flags

	Brokers []string // host:port each
	Topic   string
	Prefix  string   // of the groups' names
	Groups  []string // of archive, table and counts
	Start   string   // committed, or end: skip what waits in the topic

	Dir     string // of the files; empty: a temporary folder that is removed at the end
	Segment int64  // bytes from which the next file is begun
	Keep    int    // newest files of a group that are kept

	Batch  int           // records that a group stores at once, at most
	Linger time.Duration // how long a batch may wait to be full
	Items  int           // listings in the catalogue

	Catalogue string // how it is held: pointers or flat

	Compression string // of the archive
	Buffers     string // of a decompressed record: kept, new or pool
	Proto       string // how protocol buffers are decoded and encoded
	Format      string // how lines and keys are made: fmt or append
	Write       string // direct or buffered

	Store     string // host:port of the database for the table's rows (lab store); empty: the table is a file
	Transport string // Thrift's, to the database: socket or buffered

	// FetchEvery has the archive put its messages into the database, and a timer fetch them all so often; 0: it has
	// files.
	FetchEvery time.Duration

	GC     string // who sets how much room the collector has: runtime (GOGC and GOMEMLIMIT) or gctune
	Memory int    // MiB that gctune may use
}

// users is how many users the made-up world has.
const users = 1_000_000

// DefaultConfig is a healthy worker whose broker still has to be named.
func DefaultConfig() Config {
	return Config{
		Flags: serve.DefaultFlags(),
		Topic: "events", Prefix: "worker-", Start: "committed",
		Segment: 64 << 20, Keep: 4,
		Batch: 500, Linger: 250 * time.Millisecond, Items: 200_000, Catalogue: "pointers",
		Groups:      groupNames(),
		Compression: "klauspost-1", Buffers: "kept", Proto: "vtproto", Format: "append", Write: "buffered",
		Transport: "buffered",
		GC:        "gctune", Memory: 256,
	}
}

// parseConfig reads the command line of the worker. Complaints and help go to stderr.
func parseConfig(args []string, stderr io.Writer) (Config, error) {
	c := DefaultConfig()
	f := flag.NewFlagSet("worker", flag.ContinueOnError)
	f.SetOutput(stderr)
	c.Flags.Add(f)
	f.Func("brokers", "`host:port,…` of a Kafka broker or of lab broker",
		func(s string) error { c.Brokers = strings.Split(s, ","); return nil })
	f.StringVar(&c.Topic, "topic", c.Topic, "topic to consume")
	f.StringVar(&c.Prefix, "group-prefix", c.Prefix, "of the names of the three consumer groups")
	f.Func("groups", "which of the groups run here: `name,…` of "+strings.Join(c.Groups, ", ")+" (default all)",
		func(s string) error { c.Groups = strings.Split(s, ","); return nil })
	f.StringVar(&c.Start, "start", c.Start, "where to begin: "+strings.Join(startNames,
		", ")+" (skips what waits in the topic)")
	f.StringVar(&c.Dir, "dir", c.Dir, "`folder` of the files; empty: a temporary one, removed at the end")
	f.Int64Var(&c.Segment, "segment", c.Segment, "`bytes` from which the next file is begun")
	f.IntVar(&c.Keep, "keep", c.Keep, "newest files of each group that are kept")
	f.IntVar(&c.Batch, "batch", c.Batch, "records that a group stores at once, at most")
	f.DurationVar(&c.Linger, "linger", c.Linger, "how long a batch may wait to be full")
	f.IntVar(&c.Items, "items", c.Items, "listings in the catalogue")
	f.StringVar(&c.Catalogue, "catalogue", c.Catalogue, "how it is held: "+strings.Join(catalogueNames,
		", ")+" (without any)")
	f.StringVar(&c.Compression, "compression", c.Compression, "of the archive: "+strings.Join(deflaterNames, ", "))
	f.StringVar(&c.Buffers, "buffers", c.Buffers, "of a decompressed record: "+strings.Join(bufferNames,
		", ")+" (a sync.Pool)")
	f.StringVar(&c.Proto, "proto", c.Proto, "protocol buffers: "+strings.Join(codecNames, ", "))
	f.StringVar(&c.Format, "format", c.Format, "how lines and keys are made: "+strings.Join(formatNames, ", "))
	f.StringVar(&c.Write, "write", c.Write, "to files: "+strings.Join(writeNames, ", "))
	f.StringVar(&c.Store, "store", c.Store,
		"`host:port` of a database (lab store) that the table's rows are put into; empty: they are lines of a file")
	f.StringVar(&c.Transport, "transport", c.Transport, "Thrift's, to the store: "+strings.Join(transportNames, ", "))
	f.DurationVar(&c.FetchEvery, "fetch-every", c.FetchEvery,
		"the archive's messages are put into the store, too, and all of them fetched so often; 0: they are files")
	f.StringVar(&c.GC, "gc", c.GC, "who sets the collector's room: "+strings.Join(gcNames, ", "))
	f.IntVar(&c.Memory, "memory", c.Memory, "`MiB` of memory that gctune may use")
	if err := serve.Parse(f, args); err != nil {
		return Config{}, err
	}
	return c, c.validate()
}

// The values of -start, -buffers, -format, -write, -transport and -gc.
var (
	startNames  = []string{"committed", "end"}
	bufferNames = []string{"kept", "new", "pool"}
	formatNames = []string{"fmt", "append"}
	writeNames  = []string{"direct", "buffered"}
	gcNames     = []string{"runtime", "gctune"}

	transportNames = []string{"socket", "buffered"}
)

// maxItems bounds memory: some 200 bytes an item, here 2 GB.
const maxItems = 10_000_000

// validate names the flag at fault.
func (c Config) validate() error {
	return errors.Join(
		c.Flags.Validate(),
		checkBrokers(c.Brokers),
		serve.Check(c.Topic != "", "topic", "must not be empty"),
		checkGroups(c.Groups),
		oneOf("start", c.Start, startNames),
		serve.Check(c.Segment >= 1<<10, "segment", "must be 1024 or more"),
		serve.Check(c.Keep >= 1, "keep", "must be 1 or more"),
		serve.Check(c.Batch >= 1 && c.Batch <= 10_000, "batch", "must be from 1 to 10000"),
		serve.Check(c.Linger >= 0 && c.Linger <= time.Minute, "linger", "must be from 0 to 1m"),
		serve.Check(c.Items >= 1 && c.Items <= maxItems, "items", fmt.Sprintf("must be from 1 to %d", maxItems)),
		oneOf("catalogue", c.Catalogue, catalogueNames),
		oneOf("compression", c.Compression, deflaterNames),
		oneOf("buffers", c.Buffers, bufferNames),
		oneOf("proto", c.Proto, codecNames),
		oneOf("format", c.Format, formatNames),
		oneOf("write", c.Write, writeNames),
		serve.CheckAddress("store", c.Store, true),
		oneOf("transport", c.Transport, transportNames),
		serve.Check(c.FetchEvery == 0 || c.FetchEvery >= 100*time.Millisecond, "fetch-every",
			"must be 100ms or more, or 0"),
		serve.Check(c.FetchEvery == 0 || c.Store != "", "fetch-every", "needs -store"),
		oneOf("gc", c.GC, gcNames),
		serve.Check(c.Memory >= 8 && c.Memory <= 1<<20, "memory", "must be from 8 to 1048576"),
	)
}

func oneOf(flag, value string, names []string) error {
	return serve.Check(slices.Contains(names, value), flag, "must be one of "+strings.Join(names, ", "))
}

// groupNames are what the topic is consumed for: each gets all of it.
func groupNames() []string { return []string{"archive", "table", "counts"} }

func checkGroups(groups []string) error {
	seen := map[string]bool{}
	for _, g := range groups {
		if err := oneOf("groups", g, groupNames()); err != nil {
			return err
		}
		if seen[g] {
			return serve.Check(false, "groups", "names "+g+" twice")
		}
		seen[g] = true
	}
	return nil
}

func checkBrokers(brokers []string) error {
	if len(brokers) == 0 {
		return errors.New("-brokers must name a broker: lab broker prints the address of one")
	}
	for _, b := range brokers {
		if err := serve.CheckAddress("brokers", b, false); err != nil {
			return err
		}
	}
	return nil
}
