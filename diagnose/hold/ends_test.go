package hold

import "testing"

// TestEndOfUnseenType: a type that the user cannot have, or that is not seen to have a way to end it, is not named.
func TestEndOfUnseenType(t *testing.T) {
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
`, heapText)
	for fn, want := range map[string]Ending{
		"example.com/s3.(*channel).check": {Of: "(*Client).GetObject", Module: "example.com/s3"},
		"example.com/s3.(*Client).scan": {Of: "(*Client).GetObject", Type: "*Client", Is: Receiver,
			Module: "example.com/s3"},
	} {
		root := funcNamed(t, table, fn)
		b, ok := c.Goroutine(root)
		if e := EndOf(table, root, b); !ok || e != want {
			t.Errorf("%s: ended by %+v (%v), want %+v", fn, e, ok, want)
		}
	}
}
