package lint

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var update = flag.Bool("update", false, "write the table of advice in docs/evidence/lint.md anew")

const (
	manual = "../../docs/evidence/lint.md"
	labDoc = "../../docs/evidence/lab.md"
)

// A figure is a cell of a micro-benchmark's table in docs/evidence/lab.md.
type figure struct {
	line   string // its first cells
	column string
}

// An advice is what a micro-benchmark of the lab is about, and what lint has for it.
type advice struct {
	what    string // as the articles give it
	table   string // heading of the micro-benchmark; "": says has the figure
	figures []figure
	holds   string   // on today's Go
	checks  []string // that report it; none: says why not
	says    string
}

// advised has every micro-benchmark of the lab, the articles' advice without proof first.
var advised = []advice{
	{"make with the size that will be needed", "make with a size", []figure{{"1,000 numbers | append only", "CPU"},
		{"1,000 numbers | room for all", "CPU"}, {"1,000 keys | no size", "CPU"}, {"1,000 keys | room for all", "CPU"}},
		"yes", []string{"prealloc", "maphint", "makeconst"}, "room for ten times as many is slower than none: makeconst"},
	{"no defer in a loop", "defer in a loop", []figure{{"1,000 things | a function with defer", "CPU"},
		{"1,000 things | defer in the loop", "CPU"}}, "yes", []string{"deferinloop"}, ""},
	{"requests with a context", "Requests with and without a context", []figure{{"no context", "still held"},
		{"WithTimeout", "still held"}, {"WithTimeout", "CPU"}}, "yes, for what it frees",
		[]string{"requestnocontext", "lostcancel"}, ""},
	{"channels with a buffer", "Channels with and without a buffer", []figure{{"0", "CPU"}, {"16", "CPU"}}, "yes",
		[]string{"handoff"}, ""},
	{"buffers before writes", "Buffers before writes", []figure{{"connection | each piece", "CPU"},
		{"connection | bufio.Writer", "CPU"}, {"string | s += piece", "CPU"}, {"string | strings.Builder", "CPU"}}, "yes",
		[]string{"writeinloop", "stringsbuilder", "concatinloop"}, ""},
	{"regular expressions compiled once", "", nil, "yes", []string{"regexpinfunc", "SA6000"},
		"`go test ./lint/checks -bench Cost/regexp` in app/"},
	{"an array by its address", "Range over an array: a copy of it, or by pointer", []figure{{"96 B | 1,024", "range a"},
		{"96 B | 1,024", "range &a"}}, "yes", []string{"largecopy"}, ""},
	{"a slice's elements by index", "Range over a slice: by value, by index, by pointer", []figure{
		{"96 B | 1,000", "value"}, {"96 B | 1,000", "index"}, {"2 kB | 1,000", "value"}, {"2 kB | 1,000", "index"}},
		"yes, within the caches", []string{"largecopy"}, "beyond the caches memory sets the pace for 96 B"},
	{"goroutines used again", "A million tasks: raw, limited and reused goroutines", []figure{{"one a task", "CPU"},
		{"semaphore, 500 k", "CPU"}, {"reused, 500 k", "CPU"}, {"reused, channel", "CPU"}},
		"no: started on demand they take more CPU than new ones", []string{"unboundedgo"},
		"few workers gain, and a bound is needed for what the goroutines wait for"},
	{"workers that end without work", "Workers that end after a time without work", []figure{
		{"task, context, timer", "CPU"}, {"the same, time.After", "CPU"}}, "yes, with one timer",
		[]string{"timerinloop", "afterinloop"}, ""},
	{"objects from a sync.Pool", "sync.Pool against make, by size", []figure{{"32 B | make", "CPU"},
		{"32 B | sync.Pool", "CPU"}, {"1.03 KiB | make", "CPU"}, {"1.03 KiB | sync.Pool", "CPU"}},
		"yes, for what escapes; not at 32 B", []string{"makeconst", "coderpercall", "buffergrows", "SA6002"},
		"smaller ones: the finding alloc-poolable, and `casebook escape`"},
	{"an atomic instead of a mutex", "A mutex against compare-and-swap, 1 to 8 goroutines", []figure{{"8 | mutex", "CPU"},
		{"8 | Add", "CPU"}, {"2 | mutex", "CPU"}, {"2 | CAS loop", "CPU"}},
		"yes of Add; a CAS loop may lose with two goroutines", []string{"lockedcounter"}, ""},
	{"an RWMutex, or an atomic pointer, for readers", "Readers under a mutex, an RWMutex, an atomic pointer",
		[]figure{{"1 | 8 | Mutex", "CPU"}, {"1 | 8 | RWMutex", "CPU"}, {"64 | 1 | Mutex", "CPU"}, {"64 | 1 | RWMutex", "CPU"}},
		"yes of short reads by several; no difference alone", []string{"lockedcounter"},
		"what is not one number: the findings lock-contention and lock-rwmutex, because how many read is not in the source"},
	{"a mutex's two modes", "A mutex's two modes: overtaking, and first come first served", []figure{
		{"10 µs", "median wait"}}, "no advice: it is how long a waiter is overtaken", []string{"lockoverio"}, ""},
	{"a rate limiter by compare-and-swap", "A rate limiter with a mutex and with compare-and-swap", []figure{
		{"8 | mutex", "CPU"}, {"8 | CAS loop", "CPU"}}, "yes, by less than twice", nil,
		"its state is more than a number; a lock that costs is the finding lock-contention"},
	{"structs without holes, counters apart", "Structs without holes, small integers, counters apart", []figure{
		{"structs | mixed, 40 B", "CPU"}, {"structs | largest first, 24 B", "CPU"}, {"counts | int8", "first"}}, "yes; int8 saves memory, not time",
		[]string{"fieldorder"}, "which counters different CPUs change is not in the source"},
	{"fewer objects", "Fewer objects: merged, by value, captured together, with a buffer inside", []figure{
		{"record | three parts", "CPU"}, {"record | all in one", "CPU"}, {"buffer | bytes.Buffer", "first"},
		{"closure | one struct", "first"}}, "yes of merged objects; the other three save an object and no time",
		[]string{"capturedvar"}, "merging: `casebook escape` lists the allocations of a line"},
	{"maps from a pool", "Maps from a pool", []figure{{"20 entries | make for 2,000", "CPU"},
		{"20 entries | make for those used", "CPU"}}, "no: a map made for what comes does as well", []string{"makeconst"}, ""},
	{"bytes and strings without a copy", "Bytes to strings and back: with and without a copy", []figure{
		{"to string, 1 kB | string(b)", "CPU"}, {"to string, 1 kB | package unsafe", "CPU"}, {"a map's key | string(b)", "first"}},
		"yes, but not as a map's key", []string{"stringbytes", "SA6001", "SA6006"}, ""},
	{"new and make avoided", "new and make: what stays in its function, and what escapes", []figure{{"stays | new", "CPU"},
		{"escapes | new", "CPU"}}, "no: only what escapes costs", []string{"boxinloop"}, "why a line escapes: `casebook escape`"},
	{"a sorted slice instead of a map", "Looking up a number: a map, a sorted slice, a scan", []figure{{"1,024", "map"},
		{"1,024", "sorted slice"}, {"65,536", "map"}, {"65,536", "sorted slice"}}, "no: as fast, and slower when it is large",
		[]string{"slicescontains"}, "scans of many: the finding cpu-linear-search"},
	{"only the fields that are needed", "Three fields of a JSON text: decoded, or looked up", nil, "yes",
		[]string{"jsonroundtrip"}, "else the finding cpu-json"},
	{"another codec", "JSON, Protobuf, Avro, FlatBuffers: write, read all, read three fields", nil, "yes", nil,
		"a format is no line: the findings cpu-json and cpu-protobuf"},
	{"a codec that allocates less", "What the codecs allocate: to write, to read all, to read three fields", nil, "yes",
		nil, "likewise"},
	{"fasthttp", "net/http against fasthttp", nil, "yes", nil, "a choice of the whole service, and no line"},
	{"a lower level of compression", "zlib at levels 9, 6 and 1: size and CPU", nil, "yes", []string{"coderpercall"},
		"the level: the finding cpu-compression"},
	{"sorted data for the branches", "Branches that the processor can foresee: sorted and unsorted numbers", nil, "yes",
		nil, "the order of data is not in the source"},
	{"rarer collections", "Rarer cycles of the collector, and how long they stop the world", nil, "yes", nil,
		"a setting: the findings gc-frequency and gc-ballast"},
	{"no sidecar between", "Calls of Redis, direct and through a sidecar", nil, "yes", nil, "a deployment"},
}

// anchored is how GitHub makes the anchor of a heading.
func anchored(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// microBenchmarks are the sections of docs/evidence/lab.md below that heading, by their titles.
func microBenchmarks(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(labDoc)
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(data), "\n## Micro-benchmarks\n")
	if !ok {
		t.Fatal("docs/evidence/lab.md has no micro-benchmarks")
	}
	out := make(map[string]string)
	for _, section := range strings.Split(text, "\n### ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		out[title] = body
	}
	return out
}

var spread = regexp.MustCompile(` ±\d+ %`)

// of is what a figure is in the table of a section.
func (f figure) of(section string) (string, error) {
	var head []string
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if head == nil {
			head = cells
			continue
		}
		want := strings.Split(f.line, " | ")
		if len(cells) != len(head) || !slices.Equal(cells[:min(len(want), len(cells))], want) {
			continue
		}
		if i := slices.Index(head, f.column); i >= 0 {
			return spread.ReplaceAllString(cells[i], ""), nil
		}
	}
	return "", fmt.Errorf("no line %q with a column %q", f.line, f.column)
}

// table is the advice as Markdown.
func table(t *testing.T) string {
	known, sections := byName(func(c *Check) string { return c.Name }), microBenchmarks(t)
	var b strings.Builder
	b.WriteString("| advice | holds on today's Go | figures of the lab | reported by |\n|---|---|---|---|\n")
	for _, a := range advised {
		var figures, parts []string
		section, ok := sections[a.table]
		if !ok && a.table != "" {
			t.Errorf("docs/evidence/lab.md has no table %q", a.table)
		}
		for _, f := range a.figures {
			value, err := f.of(section)
			if err != nil {
				t.Errorf("%s: %v", a.table, err)
			}
			figures = append(figures, strings.ReplaceAll(f.line, " | ", ", ")+": "+value)
		}
		if a.table != "" {
			figures = append(figures, "[table](lab.md#"+anchored(a.table)+")")
		}
		for _, name := range a.checks {
			if known[name] == nil && known[strings.ToLower(name)] == nil {
				t.Errorf("%s: there is no check %s", a.what, name)
			}
		}
		if len(a.checks) > 0 {
			parts = append(parts, strings.Join(a.checks, ", "))
		}
		if a.says != "" {
			parts = append(parts, a.says)
		}
		if len(parts) == 0 {
			t.Errorf("%s: nothing is said of it", a.what)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", a.what, a.holds, strings.Join(figures, "; "), strings.Join(parts, "; "))
	}
	return b.String()
}

// TestAdvice: docs/evidence/lint.md has a row for each table of the lab, with the lab's own figures, and names checks
// that exist.
func TestAdvice(t *testing.T) {
	for title := range microBenchmarks(t) {
		if !slices.ContainsFunc(advised, func(a advice) bool { return a.table == title }) {
			t.Errorf("docs/evidence/lint.md says nothing of the lab's table %q", title)
		}
	}
	data, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- advice: go test ./lint -run TestAdvice -update, in app/ -->\n", "<!-- end of advice -->\n"
	before, rest, ok := strings.Cut(string(data), begin)
	now, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", manual)
	}
	want := table(t)
	if now == want {
		return
	}
	if !*update {
		t.Fatalf("the table in docs/evidence/lint.md is not what the lab measured; run with -update:\n%s", want)
	}
	if err := os.WriteFile(manual, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
