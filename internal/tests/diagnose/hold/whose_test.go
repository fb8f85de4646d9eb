package hold_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

const dump = `goroutine 7 [chan receive]:
example.com/s3.(*Client).GetObject.func1()
	/root/go/pkg/mod/example.com/s3@v1.2.3/get.go:94 +0x1
created by example.com/s3.(*Client).GetObject in goroutine 6
	/root/go/pkg/mod/example.com/s3@v1.2.3/get.go:80 +0x2

goroutine 8 [select]:
example.com/s3.(*Reader).run()
	/root/go/pkg/mod/example.com/s3@v1.2.3/read.go:30 +0x1
created by example.com/s3.start in goroutine 6
	/root/go/pkg/mod/example.com/s3@v1.2.3/read.go:12 +0x2
`

const heapText = `heap profile: 3: 3072 [3: 3072] @ heap/2
1: 1024 [1: 1024] @ 0x1 0x2
#	0x1	example.com/s3.(*Client).GetObject+0x1	/root/go/pkg/mod/example.com/s3@v1.2.3/get.go:112
#	0x2	main.(*catalogue).load+0x1	/src/main.go:34

1: 1024 [1: 1024] @ 0x3 0x4 0x5 0x6
#	0x3	example.com/s3.start+0x1	/root/go/pkg/mod/example.com/s3@v1.2.3/read.go:11
#	0x4	example.com/s3.NewReader+0x1	/root/go/pkg/mod/example.com/s3@v1.2.3/read.go:7
#	0x5	io.Copy+0x1	/usr/local/go/src/io/io.go:388
#	0x6	main.follow+0x1	/src/main.go:50

`

func chainOf(t *testing.T, parts ...string) (*hold.Chain, *stacks.Table) {
	t.Helper()
	table := stacks.NewTable("example.com/app")
	var sets []*stacks.Set
	for i, part := range parts {
		s, err := table.Read(stacks.Source{Name: []string{"dump.txt", "heap.txt"}[i]}, []byte(part))
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, s)
	}
	return hold.NewChain(table, sets), table
}

func funcNamed(t *testing.T, table *stacks.Table, name string) stacks.FuncID {
	t.Helper()
	for i := range table.Funcs {
		if table.Funcs[i].Name == name {
			return stacks.FuncID(i)
		}
	}
	t.Fatalf("%s is not in the table", name)
	return stacks.NoFunc
}

// TestWhose: the user's line behind a library's goroutine, what it calls, and what must be ended.
func TestWhose(t *testing.T) {
	c, table := chainOf(t, dump, heapText)
	for _, tt := range []struct {
		goroutine, line, calls string
		end                    hold.Ending
	}{
		{"example.com/s3.(*Client).GetObject.func1", "main.(*catalogue).load", "example.com/s3.(*Client).GetObject",
			hold.Ending{Of: "(*Client).GetObject", Type: "*Client", Module: "example.com/s3"}},
		{"example.com/s3.(*Reader).run", "main.follow", "example.com/s3.NewReader",
			hold.Ending{Of: "NewReader", Is: hold.Made, Module: "example.com/s3"}},
	} {
		fn := funcNamed(t, table, tt.goroutine)
		b, ok := c.Goroutine(fn)
		if !ok || table.Func(b.Line).Name != tt.line || table.Func(b.Calls).Name != tt.calls {
			t.Errorf("%s: begun by %+v (%v), want %s calling %s", tt.goroutine, b, ok, tt.line, tt.calls)
			continue
		}
		if e := hold.EndOf(table, fn, b, func(stacks.FuncID) int64 { return 1 }); e != tt.end {
			t.Errorf("%s: ended by %+v, want %+v", tt.goroutine, e, tt.end)
		}
	}
}

// TestLikely: without "created by" the calls into the package tell, unless several of the user's functions make them.
func TestLikely(t *testing.T) {
	other := heapText + "1: 1024 [1: 1024] @ 0x7 0x8\n#\t0x7\texample.com/s3.(*Client).Put+0x1\t" +
		"/root/go/pkg/mod/example.com/s3@v1.2.3/put.go:9\n#\t0x8\tmain.save+0x1\t/src/main.go:70\n\n"
	for _, tt := range []struct {
		name, heap string
		want       bool
	}{
		{"of two functions with as much", other, false},
		{"of none", "heap profile: 0: 0 [0: 0] @ heap/2\n", false},
	} {
		c, table := chainOf(t, dump, tt.heap)
		if b, ok := c.Likely(funcNamed(t, table, "example.com/s3.(*Reader).run")); ok != tt.want {
			t.Errorf("%s: %+v %v, want %v", tt.name, b, ok, tt.want)
		}
	}
}

// TestEndOf: what the user has in his hands is what the call returned, or what it was called on; never a type on the
// way.
func TestEndOf(t *testing.T) {
	c, table := chainOf(t, `goroutine 7 [select]:
example.com/s3.(*channel).check()
	/root/go/pkg/mod/example.com/s3@v1.2.3/get.go:94 +0x1
created by example.com/s3.(*Client).GetObject in goroutine 6
	/root/go/pkg/mod/example.com/s3@v1.2.3/get.go:80 +0x2

goroutine 8 [select]:
example.com/s3.(*Client).scan()
	/root/go/pkg/mod/example.com/s3@v1.2.3/get.go:99 +0x1
created by example.com/s3.(*Client).GetObject in goroutine 6
	/root/go/pkg/mod/example.com/s3@v1.2.3/get.go:81 +0x2

goroutine 9 [select]:
example.com/s3.(*Client).sign()
	/root/go/pkg/mod/example.com/s3@v1.2.3/get.go:120 +0x1
created by example.com/s3.(*Client).start in goroutine 6
	/root/go/pkg/mod/example.com/s3@v1.2.3/get.go:20 +0x2
`, heapText)
	const channel, scan, sign = "example.com/s3.(*channel).check", "example.com/s3.(*Client).scan",
		"example.com/s3.(*Client).sign"
	for _, tt := range []struct {
		root            string
		scanned, signed int64
		want            hold.Thing
	}{
		{channel, 100, 0, hold.Returned}, // of a type of the library's own
		{scan, 100, 0, hold.Either},      // a client has it, or a call of it
		{scan, 100, 1, hold.Returned},    // one client has many
		{scan, 100, 100, hold.Receiver},  // each client has both
	} {
		root := funcNamed(t, table, tt.root)
		b, ok := c.Goroutine(root)
		if !ok {
			t.Fatalf("nobody began %s", tt.root)
		}
		e := hold.EndOf(table, root, b, func(of stacks.FuncID) int64 {
			return map[string]int64{scan: tt.scanned, sign: tt.signed}[table.Funcs[of].Name]
		})
		if e.Is != tt.want || e.Type != "*Client" || e.Of != "(*Client).GetObject" || e.Module != "example.com/s3" {
			t.Errorf("%d and %d goroutines of %s: ended by %+v, want %d", tt.scanned, tt.signed, tt.root, e, tt.want)
		}
	}
}

// TestTogether: things that exist only together are in a whole ratio at every moment.
func TestTogether(t *testing.T) {
	for _, tt := range []struct {
		a, b []int64
		want bool
	}{
		{[]int64{0, 292}, []int64{0, 876}, true},
		{[]int64{100, 200, 300}, []int64{101, 199, 300}, true}, // some are being made
		{[]int64{80, 300}, []int64{240, 900}, true},
		{[]int64{100, 300}, []int64{300, 300}, false}, // one stands still
		{[]int64{100, 100}, []int64{250, 250}, false},
		{[]int64{8}, []int64{800}, false},
		{[]int64{0, 0}, []int64{0, 0}, false},
		{nil, nil, false},
	} {
		if got := hold.Together(tt.a, tt.b); got != tt.want || hold.Together(tt.b, tt.a) != got {
			t.Errorf("%v and %v: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// heapOf is the text of a heap profile: of each stack the objects of 1 KiB that are alive, the leaf first.
func heapOf(lines ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "heap profile: 1: 1024 [1: 1024] @ heap/2\n")
	for _, l := range lines {
		n, stack, _ := strings.Cut(l, " ")
		alive := 0
		fmt.Sscan(n, &alive)
		frames := strings.Fields(stack)
		fmt.Fprintf(&b, "%d: %d [%d: %d] @", alive, alive<<10, alive, alive<<10)
		for _, f := range frames {
			fmt.Fprintf(&b, " %#x", addressOf(f))
		}
		b.WriteByte('\n')
		for _, f := range frames {
			fmt.Fprintf(&b, "#\t%#x\t%s+0x1\t%s:7\n", addressOf(f), f, fileOf(f))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func addressOf(f string) (n uint32) {
	for i := range len(f) {
		n = n*31 + uint32(f[i])
	}
	return n
}

func fileOf(f string) string {
	pkg, _, _ := strings.Cut(f[strings.LastIndexByte(f, '/')+1:], ".")
	switch pkg = f[:strings.LastIndexByte(f, '/')+1] + pkg; {
	case pkg == "main":
		return "/src/main.go"
	case strings.Contains(pkg, "."):
		return "/root/go/pkg/mod/" + pkg + "@v1.2.3/a.go"
	}
	return "/usr/local/go/src/" + pkg + "/a.go"
}

// TestMappers: the user's line that maps memory or calls C is named, with its part; the system's own code and lines
// that allocate on the heap are not.
func TestMappers(t *testing.T) {
	text := heapOf(
		"3 syscall.mmap syscall.(*mmapper).Mmap syscall.Mmap main.(*index).open main.main",
		"1 syscall.mmap syscall.(*mmapper).Mmap syscall.Mmap main.grow main.main",
		"9 bytes.growSlice main.render main.main",
		"5 runtime.cgocall example.com/zip._Cfunc_pack example.com/zip.Pack main.(*counter).tokens main.main",
		"2 syscall.mmap syscall.(*mmapper).Mmap syscall.Mmap example.com/db.(*file).remap")
	table := stacks.NewTable("example.com/app")
	set, err := table.Read(stacks.Source{Name: "heap.txt"}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got := hold.NewChain(table, []*stacks.Set{set}).Mappers(set, stacks.ByValue(set.Value("inuse_space", "bytes")))
	var lines []string
	for _, m := range got {
		lines = append(lines, fmt.Sprintf("%s %.2f %v", table.Func(m.Line).Name, m.Share, m.Role == known.MapsMemory))
	}
	want := "main.(*index).open 0.75 true, main.grow 0.25 true, main.(*counter).tokens 1.00 false"
	if s := strings.Join(lines, ", "); s != want {
		t.Errorf("led to by %s, want %s", s, want)
	}
}

// TestTimers: timers and contexts are counted at the line that asked for them, once each; the standard library's own
// are nobody's, and what is no timer is none.
func TestTimers(t *testing.T) {
	text := heapOf(
		"900 time.newTimer time.NewTimer time.After main.(*checker).measure main.main", // the channel and the timer
		"880 time.NewTimer time.After main.(*checker).measure main.main",
		"400 context.withCancel context.WithCancel example.com/retry.Do main.ask main.main",
		"300 context.(*cancelCtx).propagateCancel context.withCancel context.WithCancel example.com/retry.Do main.ask main.main",
		"70 time.newTimer time.NewTimer net/http.(*persistConn).readLoop",
		"5000 bytes.growSlice main.render main.main")
	table := stacks.NewTable("example.com/app")
	set, err := table.Read(stacks.Source{Name: "heap.txt"}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got := hold.New(set, nil).Timers()
	for i, want := range []struct {
		line, maker string
		contexts    bool
		least, most float64
	}{
		{"main.(*checker).measure", "main.(*checker).measure", false, 880, 900},
		{"main.ask", "example.com/retry.Do", true, 400, 400},
	} {
		if i >= len(got) {
			t.Fatalf("%d places keep timers, want %s as well", len(got), want.line)
		}
		g := got[i]
		if table.Func(g.Line).Name != want.line || table.Func(g.Maker).Name != want.maker || g.Contexts != want.contexts ||
			g.Now.Objects < want.least || g.Now.Objects > want.most {
			t.Errorf("%v timers of %s made by %s (contexts %v), want %.0f to %.0f of %s by %s", g.Now.Objects,
				table.Func(g.Line).Name, table.Func(g.Maker).Name, g.Contexts, want.least, want.most, want.line, want.maker)
		}
	}
	if len(got) > 2 {
		t.Errorf("%d places keep timers, want 2", len(got))
	}
	if p := got[1].ParentsTables; p != 300<<10 {
		t.Errorf("%v bytes are tables of the parents, want 300 KiB", p)
	}
}

// TestKeptBesideContexts: what the call that made contexts has allocated is kept with them, and not what another call
// keeps.
func TestKeptBesideContexts(t *testing.T) {
	table := stacks.NewTable("example.com/app")
	set, err := table.Read(stacks.Source{Name: "heap.txt"}, []byte(heapOf(
		"400 context.withCancel context.WithCancel main.(*desk).begin main.(*desk).quote main.serve",
		"40000 fmt.Sprintf main.(*desk).quote main.serve",
		"50000 main.(*cache).load main.serve")))
	if err != nil {
		t.Fatal(err)
	}
	got := hold.New(set, nil).Timers()
	if len(got) != 1 || got[0].Kept == nil || got[0].Kept.Now.Objects != 40_000 {
		t.Errorf("%+v are kept with contexts, want 40,000 objects", got)
	}
}

// TestBegins: a wrapper that has the name of what it wraps gives it to its user to end. A mapper that prepares by
// itself, and a context, do not.
func TestBegins(t *testing.T) {
	for _, tt := range []struct {
		stack string
		want  string
	}{
		{"database/sql.(*DB).addDep database/sql.(*DB).PrepareContext main.find", "database/sql.(*DB).PrepareContext"},
		{"database/sql.(*DB).addDep database/sql.(*DB).PrepareContext example.com/sqly.(*DB).PrepareyContext main.find",
			"database/sql.(*DB).PrepareContext"},
		{"database/sql.(*DB).addDep database/sql.(*DB).PrepareContext example.com/orm.(*DB).Find main.find", ""},
		{"context.(*cancelCtx).propagateCancel context.withCancel context.WithCancel main.find", ""},
		{"main.find", ""},
	} {
		table := stacks.NewTable("example.com/app")
		set, err := table.Read(stacks.Source{Name: "heap.txt"}, []byte(heapOf("900 "+tt.stack+" main.main")))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if row, by := hold.Begins(table, hold.New(set, nil).Held[0].Inside()); row != nil {
			got = by.Name
		}
		if got != tt.want {
			t.Errorf("%s: begun by %q, want %q", tt.stack, got, tt.want)
		}
	}
}
