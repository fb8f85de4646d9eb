package stacks

import (
	"slices"
	"testing"
)

func names(s *Set, stack []FrameID) (out []string) {
	for _, id := range stack {
		out = append(out, s.Table.Func(id).Name)
	}
	return out
}

// TestAroundTheWork: the middleware is on the stacks of all of a service's work, and is never the place to blame.
func TestAroundTheWork(t *testing.T) {
	tab := NewTable("")
	s := &Set{Table: tab, Types: []ValueType{{"samples", "count"}}}
	stack := []FrameID{tab.intern("main.handler", "/src/main.go", 7),
		tab.intern("github.com/gocasebook/casebook/middleware.(*Meter).Wrap.func1", "/src/m.go", 9),
		tab.intern("net/http.(*conn).serve", "/go/src/net/http/server.go", 11)}
	if !tab.addSample(s, stack, []int64{1}) {
		t.Fatal("work under the middleware was taken for the observer's")
	}
	if got, want := names(s, s.Samples[0].Stack), []string{"main.handler", "net/http.(*conn).serve"}; !slices.Equal(got,
		want) {
		t.Errorf("stack %v, want %v", got, want)
	}
	for name, want := range map[string]Owner{
		"github.com/gocasebook/casebook/remedy/cache.(*Cache[...]).Get": Dependency,
		"github.com/gocasebook/casebook.(*Watch).Run":                   Dependency,
		"github.com/gocasebook/casebook/app/lab/phones.(*Gateway).get":  User,
		"github.com/gocasebook/casebook/lab/phones.(*Gateway).get":      User,
		"github.com/gocasebookery/shop.Sell":                            User,
	} {
		if got := tab.Func(tab.intern(name, "/home/me/src/x.go", 1)).Owner; got != want {
			t.Errorf("%s is %v's, want %v's", name, got, want)
		}
	}
}
