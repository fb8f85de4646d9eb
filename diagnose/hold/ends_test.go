package hold

import (
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

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
		want            Thing
	}{
		{channel, 100, 0, Returned}, // of a type of the library's own
		{scan, 100, 0, Either},      // a client has it, or a call of it
		{scan, 100, 1, Returned},    // one client has many
		{scan, 100, 100, Receiver},  // each client has both
	} {
		root := funcNamed(t, table, tt.root)
		b, ok := c.Goroutine(root)
		if !ok {
			t.Fatalf("nobody began %s", tt.root)
		}
		e := EndOf(table, root, b, func(of stacks.FuncID) int64 {
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
		if got := Together(tt.a, tt.b); got != tt.want || Together(tt.b, tt.a) != got {
			t.Errorf("%v and %v: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
