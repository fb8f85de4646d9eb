package diagnose_test

import (
	"strings"
	"testing"
)

// TestItemsOnChannels: a batch is the remedy where the program's own lines pass items on, and its size follows from what
// that costs against the work for them. Channels below other calls are not for items.
func TestItemsOnChannels(t *testing.T) {
	const (
		parked = "runtime.futex runtime.notesleep runtime.schedule runtime.mcall"
		send   = "runtime.chansend runtime.chansend1 "
	)
	for _, tt := range []struct {
		name, op  string
		ops, work int64
		remedy    string
	}{
		{"own line", send + "main.feed:7 main.main:3", 300, 300, "Hand over 32 at a time"},
		{"hardly any work", send + "main.feed:7 main.main:3", 500, 40, "Hand over 256 at a time"},
		{"a library's, called directly", send + "github.com/panjf2000/ants/v2.(*Pool).Submit main.each:7 main.main:3", 300,
			300, "Hand over 32 at a time"},
		{"an answer of another service", "runtime.selectgo net/http.(*persistConn).roundTrip net/http.(*Client).Do " +
			"main.ask:9 main.main:3", 300, 300, "Hand over batches"},
		{"a pipe's", "runtime.selectgo io.(*pipe).read io.(*PipeReader).Read main.copy:5 main.main:3", 300, 300,
			"Hand over batches"},
		{"one library through another", send + "example.org/a@v1.0.0/a.(*A).x example.org/b@v1.0.0/b.(*B).y main.z:5", 300,
			300, "Have the dependency hand over less"},
		{"polling", "runtime.chanrecv runtime.selectnbrecv main.poll:5 main.main:3", 300, 300, "Hand over batches"},
		{"few of them", send + "main.feed:7 main.main:3", 50, 300, "Hand over batches"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := apart(0, dumpOf(crowd{1, "running", "main.main:3", ""}))
			in = with(in, cpuProfile(t, 10, map[string]int64{tt.op: tt.ops, parked: 300, workStack: tt.work}))
			f, score := scoreOf(t, in, "cpu-runtime")
			if score < worthKnowing {
				t.Fatalf("scores %d, want a finding: %s", score, f.Summary)
			}
			if got := f.Remedies[0].Title; got != tt.remedy {
				t.Errorf("%q is the remedy, want %q (%s)", got, tt.remedy, f.Summary)
			}
			if strings.Contains(tt.remedy, "at a time") && !strings.HasPrefix(f.Where[0].Function, "main.") {
				t.Errorf("%v is first, want a line of the program's", f.Where[0])
			}
		})
	}
}
