package diagnose

import (
	"context"
	"fmt"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
)

// TestOnlyReads: a line that takes a store's one writer's turn only reads if enough is seen below it, and no change.
func TestOnlyReads(t *testing.T) {
	const bolt = "|/root/go/pkg/mod/go.etcd.io/bbolt@v1.4.0/db.go "
	const update = "main.(*Store).Get.func1|/src/main.go go.etcd.io/bbolt.(*DB).Update" + bolt + "main.(*Store).query|/src/main.go"
	below := func(leaf string, n int) map[string]int64 {
		out := make(map[string]int64)
		for i := range n {
			out[fmt.Sprintf("encoding/json.step%d|/usr/local/go/src/encoding/json/decode.go %s%s", i, leaf, update)] = 5
		}
		return out
	}
	reads, few := below("go.etcd.io/bbolt.(*Bucket).Get"+bolt, leastReads), below("", leastReads-1)
	puts := below("", leastReads)
	puts["go.etcd.io/bbolt.(*Bucket).Put"+bolt+update] = 1
	for _, tt := range []struct {
		name   string
		stacks map[string]int64
		only   bool
	}{{"it reads", reads, true}, {"it puts, once", puts, false}, {"too little is seen", few, false}} {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := read(context.Background(), Input{Evidence: []Evidence{{Name: "cpu.pb.gz",
				Data: framesProfile(t, cpuTypes(), tt.stacks)}}})
			of, n := onlyReads(r, casefile.Frame{Function: "main.(*Store).query", Line: 7}, known.Writers())
			if only := n >= leastReads; only != tt.only {
				t.Errorf("%d stacks below %v only read, want %d or more: %v", n, of, leastReads, tt.only)
			}
		})
	}
}
