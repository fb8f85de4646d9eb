package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestGoroutinesOfOneThing: goroutines of several functions that one thing needs are one leak, at the user's line that
// made the thing, and the cure is about what that line has in its hands. Pools that stand still are none.
func TestGoroutinesOfOneThing(t *testing.T) {
	const (
		amqp  = "github.com/rabbitmq/amqp."
		mongo = "github.com/mongo/driver/"
		nats  = "github.com/nats/nats."
		kafka = "github.com/segment/kafka."
		wait  = "runtime.gopark runtime.selectgo "
	)
	type crowds map[string][2]int64 // by the goroutine's function: at first, and a minute later
	for _, tt := range []struct {
		name  string
		of    crowds
		call  string // what the user's line calls, and what that calls: the leaf first
		kept  int64  // objects of 1 KiB, that are alive
		cure  string // in the first remedy; "": nothing is found
		never string
	}{
		{"a connection for each message", crowds{amqp + "(*Connection).reader": {100, 700},
			amqp + "(*Connection).heartbeater": {100, 700}}, amqp + "Open " + amqp + "Dial main.publish", 40_000,
			"what Dial returned", "Connection"},
		{"a client for each request, whose goroutines are of other packages",
			crowds{mongo + "topology.(*Server).update": {50, 900}, mongo + "event.(*bus).run": {50, 900},
				mongo + "topology.(*pool).maintain": {100, 1800}},
			mongo + "topology.NewServer " + mongo + "mongo.Connect main.ask", 60_000, "what Connect returned", "pool"},
		{"subscriptions, of which a connection has many", crowds{nats + "(*Conn).waitForMsgs": {100, 900},
			nats + "(*Conn).readLoop": {20, 20}}, nats + "(*Conn).subscribe " + nats + "(*Conn).Subscribe main.listen",
			50_000, "what (*Conn).Subscribe returned", "once"},
		{"a writer for each message", crowds{kafka + "(*Writer).send": {100, 900}, kafka + "(*Writer).batch": {100, 900}},
			kafka + "(*Writer).start " + kafka + "(*Writer).WriteMessages main.tell", 50_000, "the *Writer once",
			"returned"},
		{"two pools of the same size", crowds{nats + "(*Conn).readLoop": {300, 300}, nats + "(*Conn).flusher": {300, 300}},
			nats + "Connect main.main", 2_000, "", ""},
		{"some more connections of a pool under load", crowds{kafka + "(*conn).read": {100, 108},
			kafka + "(*conn).write": {100, 108}}, kafka + "Open main.main", 2_000, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at := func(i int) []byte {
				cs := []crowd{{n: 2, stack: "runtime.gopark net/http.(*conn).serve"}}
				for fn, n := range tt.of {
					cs = append(cs, crowd{n: int(n[i]), stack: wait + fn})
				}
				return profileOf("goroutine", cs...)
			}
			in := apart(60, at(0), at(1))
			in.Evidence = append(in.Evidence, diagnose.Evidence{Name: "heap.pb.gz", Kind: casefile.Heap,
				Taken: in.Evidence[1].Taken,
				Data:  liveHeap(t, heapLine{tt.call + ":30 main.serve:9", tt.kept, tt.kept << 10, 0})})
			fs := diagnose.Run(t.Context(), in, diagnose.Options{}).Findings
			if tt.cure == "" {
				if len(fs) > 0 {
					t.Errorf("found %s: %s", fs[0].Kind, fs[0].Title)
				}
				return
			}
			if len(fs) == 0 || fs[0].Kind != "goroutine-leak" {
				t.Fatalf("found %v, want one leak of goroutines", kinds(fs))
			}
			f := fs[0]
			line := tt.call[strings.LastIndexByte(tt.call, ' ')+1:]
			if f.Where[0].Function != line || len(kinds(fs)) > 1 && fs[1].Kind == f.Kind {
				t.Errorf("found %v at %s, want one at %s", kinds(fs), f.Where[0].Function, line)
			}
			if cure := f.Remedies[0].Title; !strings.Contains(cure, tt.cure) || strings.Contains(cure, tt.never) {
				t.Errorf("the cure is %q, want %q", cure, tt.cure)
			}
		})
	}
}
