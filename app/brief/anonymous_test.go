package brief_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/brief"
	"github.com/gocasebook/casebook/app/facts"
)

// TestAnonymousTexts: what a sentence of a fact may say of the program does not stay, and what it says otherwise does.
func TestAnonymousTexts(t *testing.T) {
	user := facts.Frame{Function: "example.com/acme/till.(*Ledger).postEntry", Line: 12,
		File: "/home/anna/acme/till/ledger.go", Owner: facts.User}
	private := facts.Frame{Function: "git.acme.example/lib/queue.(*Queue).Take", Line: 7, Owner: facts.Dependency,
		File: "/root/go/pkg/mod/git.acme.example/lib@v1.4.0/queue/take.go", Module: "git.acme.example/lib"}
	public := facts.Frame{Function: "github.com/segmentio/kafka-go.(*Writer).WriteMessages", Line: 674,
		File:  "/root/go/pkg/mod/github.com/segmentio/kafka-go@v0.4.47/writer.go",
		Owner: facts.Dependency, Module: "github.com/segmentio/kafka-go"}
	s := &facts.Sheet{
		Subject: facts.Subject{Name: "acme-till", Module: "example.com/acme", Go: "go1.26.8",
			Tripped: "till-too-slow: orders_total was 12"},
		Modules: []facts.Module{{Path: "git.acme.example/lib", Version: "v1.4.0"},
			{Path: "github.com/segmentio/kafka-go", Version: "v0.4.47"}},
		Settings: []facts.Setting{{Name: "GOGC", Value: "50"}, {Name: "GODEBUG", Value: "acme=1"}},
		Facts: []facts.Fact{{ID: "W1", Sort: facts.Wait,
			Stacks: []facts.Stack{{Frames: []facts.Frame{public, private, user}}},
			Text: "41 requests wait at till.(*Ledger).postEntry (ledger.go:12), in kafka-go.(*Writer).WriteMessages " +
				"(writer.go:674); orders_total grew 3.5/s, goroutines 27 k/s. The collector is net/http's. Read " +
				"/home/anna/acme/till/notes.txt and http://till-7f9c.acme.example:6060/debug/pprof/heap, " +
				"process 77 (acmed, of tilld 12), case 20261128T170214Z-till-too-slow-bcc6ac, " +
				"dial tcp db.acme.internal:5432 refused."},
			{ID: "J1", Sort: facts.Judged, Text: "It waits.",
				Cure: []string{"Set GOMEMLIMIT=1700MiB and http.Server.ReadTimeout, and keep entryCache."}},
			{ID: "L1", Sort: facts.Code, Of: []string{"W1"}, Text: "Lines of till.(*Ledger).postEntry."}},
		Code: []facts.Excerpt{{ID: "L1", Function: user.Function, File: user.File, Owner: facts.User, First: 12,
			Mark: []int{12}, Lines: []string{"secretSauce()"}}},
	}
	hidden, err := brief.Anonymous(s)
	if err != nil {
		t.Fatal(err)
	}
	text := string(brief.Markdown(hidden, brief.Options{}))
	for _, gone := range []string{"acme", "anna", "till", "Ledger", "ledger", "postEntry", "orders_total", "too-slow",
		"Take", "queue", "v1.4.0", "entryCache", "secretSauce", "notes", "internal:5432", "7f9c", "tilld"} {
		if i := strings.Index(text, gone); i >= 0 {
			t.Errorf("%q stays: …%s…", gone, text[max(i-80, 0):min(i+40, len(text))])
		}
	}
	for _, stays := range []string{"41 requests wait at ", "kafka-go.(*Writer).WriteMessages", "writer.go:674",
		"3.5/s", "27 k/s", "/debug/pprof/heap", "GOMEMLIMIT=1700MiB", "http.Server.ReadTimeout", "v0.4.47", "GOGC 50",
		"go1.26.8", "net/http"} {
		if !strings.Contains(text, stays) {
			t.Errorf("%q does not stay:\n%s", stays, text)
		}
	}
	kept, err := brief.Anonymous(s, "git.acme.example/lib")
	if err != nil {
		t.Fatal(err)
	}
	if text := string(brief.Markdown(kept, brief.Options{})); !strings.Contains(text, "queue.(*Queue).Take") {
		t.Errorf("what is to be kept does not stay:\n%s", text)
	}
}

// TestReveal: who has hidden names can read an answer that has the stand-ins.
func TestReveal(t *testing.T) {
	frame := facts.Frame{Function: "example.com/acme/till.(*Ledger).postEntry", Line: 12,
		File: "/src/acme/till/ledger.go", Owner: facts.User}
	s := &facts.Sheet{Subject: facts.Subject{Module: "example.com/acme"},
		Facts: []facts.Fact{{ID: "W1", Sort: facts.Wait, Text: "It waits.",
			Stacks: []facts.Stack{{Frames: []facts.Frame{frame}}}}}}
	hidden, reveal, err := brief.Hide(s)
	if err != nil {
		t.Fatal(err)
	}
	at, _ := hidden.Facts[0].Place()
	if at.Function == frame.Function || at.File == frame.File {
		t.Fatalf("%+v is not hidden", at)
	}
	if got := reveal(at.Function + " " + at.File + ", xylophone1 x00000000"); got != frame.Function+" "+frame.File+
		", xylophone1 x00000000" {
		t.Errorf("revealed: %s", got)
	}
}
