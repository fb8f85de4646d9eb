package known

import (
	"slices"
	"strings"
	"testing"
)

// TestPatterns: a pattern takes its own name, closures and instances of it, and not the neighbour whose name goes on
// where it ends, unless it says that it is a family.
func TestPatterns(t *testing.T) {
	for _, row := range table() {
		for _, p := range row.Functions {
			name, family := strings.CutSuffix(p, "*")
			if !parse(p).matches(name) || !parse(p).matches(name+"[...]") || !parse(p).matches(name+".func1") {
				t.Errorf("%q does not take itself", p)
			}
			if !family && isWord(name[len(name)-1]) && (parse(p).matches(name+"X") || parse(p).matches(name+"_")) {
				t.Errorf("%q takes %q", p, name+"X")
			}
		}
	}
}

// TestIndex: the index finds every row by a function of each of its patterns.
func TestIndex(t *testing.T) {
	for _, row := range table() {
		for _, p := range row.Functions {
			name := parse(p).prefix
			if f := Of(name); f.Roles&row.Roles != row.Roles || row.Work != NoWork && !f.Does(row.Work) {
				t.Errorf("%q is not found by its own pattern: %b, want %b and %d", p, f.Roles, row.Roles, row.Work)
			}
			if row.Work != NoWork && !slices.Contains(DoneBy(row.Work), p) {
				t.Errorf("DoneBy(%d) has no %q", row.Work, p)
			}
		}
	}
}

// TestEnd: what only another call ends is known by the call, and by the goroutine that runs meanwhile.
func TestEnd(t *testing.T) {
	for name, want := range map[string]bool{
		"os/exec.(*Cmd).Start": true, "os/exec.(*Cmd).watchCtx": true, "os/exec.(*Cmd).Run": false,
		"google.golang.org/grpc.newClientStreamWithParams.func4": true, "google.golang.org/grpc.NewClient": false,
		"github.com/eclipse/paho%2emqtt%2egolang.startComms.func2": true, "database/sql.(*DB).PrepareContext": true,
		"database/sql.(*DB).QueryContext": false, "github.com/nats-io/nats.go.(*Conn).ChanSubscribe": true,
		"github.com/nats-io/nats.go.(*Conn).Publish": false, "github.com/robfig/cron/v3.(*Cron).AddFunc": true,
	} {
		if row, ok := End(name); ok != want || ok && (row.Setting == "" || row.Remedy == "") {
			t.Errorf("%s: %+v %v, want %v", name, row, ok, want)
		}
	}
	for method, want := range map[string]bool{"QueueSubscribe": true, "Unsubscribe": false, "Publish": false,
		"AddEventHandler": true} {
		if row := BeginsByName(method); (row != nil) != want {
			t.Errorf("%s: %+v, want %v", method, row, want)
		}
	}
}

// TestChangesByName: a verb is a word of its own.
func TestChangesByName(t *testing.T) {
	for method, want := range map[string]bool{"InsertRows": true, "Set": true, "RemoveRow": true, "Setup": false,
		"Update": true, "ExecContext": true, "Updater": false, "Stored": false,
		"SignedString": false, "Address": false, "": false} {
		if got := ChangesByName(method); got != want {
			t.Errorf("ChangesByName(%q) = %v, want %v", method, got, want)
		}
	}
	for method, want := range map[string]bool{"Send": true, "SendBatch": true, "Sender": false, "Flush": true,
		"Render": false} {
		if got := HandsOutByName(method); got != want {
			t.Errorf("HandsOutByName(%q) = %v, want %v", method, got, want)
		}
	}
	for function, want := range map[string]bool{"esutil.NewBulkIndexer": true, "grpc.Dial": true, "news.Newest": false,
		"html.(*Formatter).Format": false, "esutil": false} {
		if got := MakesByName(function); got != want {
			t.Errorf("MakesByName(%q) = %v, want %v", function, got, want)
		}
	}
}

// TestNewer: the newest release is that which a row was read in, or which mends a fault, and none is newer than itself
// or than a commit between two.
func TestNewer(t *testing.T) {
	advices, err := Advices()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range advices {
		for _, m := range a.Modules {
			if newest := Newer(m.Path, "v0.0.0"); m.Path != Std && IsRelease(m.Version) &&
				(CompareReleases(newest, m.Version) < 0 || Newer(m.Path, newest) != "") {
				t.Errorf("%s: Newer of %s is %q, and of that %q", a.Line, m.Path, newest, Newer(m.Path, newest))
			}
		}
	}
	if newer := Newer("golang.org/x/net", "v0.1.1-0.20250102150405-abcdefabcdef"); newer != "" {
		t.Errorf("Newer of a commit is %q", newer)
	}
}
