package hold

import (
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A dump and a heap profile, as text, of a program that reads objects of a client and does not close them.
const (
	dump = `goroutine 7 [chan receive]:
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
	heapText = `heap profile: 3: 3072 [3: 3072] @ heap/2
1: 1024 [1: 1024] @ 0x1 0x2
#	0x1	example.com/s3.(*Client).GetObject+0x1	/root/go/pkg/mod/example.com/s3@v1.2.3/get.go:112
#	0x2	main.(*catalogue).load+0x1	/src/main.go:34

1: 1024 [1: 1024] @ 0x3 0x4 0x5 0x6
#	0x3	example.com/s3.start+0x1	/root/go/pkg/mod/example.com/s3@v1.2.3/read.go:11
#	0x4	example.com/s3.NewReader+0x1	/root/go/pkg/mod/example.com/s3@v1.2.3/read.go:7
#	0x5	io.Copy+0x1	/usr/local/go/src/io/io.go:388
#	0x6	main.follow+0x1	/src/main.go:50

`
)

func chainOf(t *testing.T, parts ...string) (*Chain, *stacks.Table) {
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
	return NewChain(table, sets), table
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
		end                    Ending
	}{
		{"example.com/s3.(*Client).GetObject.func1", "main.(*catalogue).load", "example.com/s3.(*Client).GetObject",
			Ending{Of: "(*Client).GetObject", Type: "*Client", Module: "example.com/s3"}},
		{"example.com/s3.(*Reader).run", "main.follow", "example.com/s3.NewReader",
			Ending{Of: "NewReader", Is: Made, Module: "example.com/s3"}},
	} {
		fn := funcNamed(t, table, tt.goroutine)
		b, ok := c.Goroutine(fn)
		if !ok || table.Func(b.Line).Name != tt.line || table.Func(b.Calls).Name != tt.calls {
			t.Errorf("%s: begun by %+v (%v), want %s calling %s", tt.goroutine, b, ok, tt.line, tt.calls)
			continue
		}
		if e := EndOf(table, fn, b, func(stacks.FuncID) int64 { return 1 }); e != tt.end {
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

func TestReceiver(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/s3.(*Client).GetObject.func1": "*Client", "example.com/s3.NewReader": "",
		"example.com/s3.NewReader.func2.1": "", "example.com/s3.Cache.Get": "Cache",
		"example.com/s3.(*Pool[...]).run": "*Pool", "gopkg.in/yaml%2ev3.(*parser).next": "*parser",
	} {
		if got := receiver(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
