package hold

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

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

// TestMappers: the user's line that maps memory or calls C is named, with its part; the system's own code and lines that
// allocate on the heap are not.
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
	got := NewChain(table, []*stacks.Set{set}).Mappers(set, stacks.ByValue(set.Value("inuse_space", "bytes")))
	var lines []string
	for _, m := range got {
		lines = append(lines, fmt.Sprintf("%s %.2f %v", table.Func(m.Line).Name, m.Share, m.Role == known.MapsMemory))
	}
	want := "main.(*index).open 0.75 true, main.grow 0.25 true, main.(*counter).tokens 1.00 false"
	if s := strings.Join(lines, ", "); s != want {
		t.Errorf("led to by %s, want %s", s, want)
	}
}
