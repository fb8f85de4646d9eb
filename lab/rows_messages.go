package lab

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/lab/draw"
	"github.com/gocasebook/casebook/lab/messages"
)

// messagesService keeps large values in a log-structured store.
func messagesService() Service {
	return Service{
		Name: "messages",
		Text: "keeps the newest message of each sender, of 64 KiB, in Pebble: a log-structured store of RocksDB's kind",
		Diseases: []Disease{
			{
				Name:    "large-values",
				Sick:    "messages of 64 KiB as values of a store that merges its tables again and again",
				Cure:    "the store has values of 4 KiB and more beside its tables, and merges only references",
				Article: "messages of 1.5 MB at P99, which RocksDB writes again and again: they were compressed first",

				SickArgs: []string{"-values", "inline"}, CuredArgs: []string{"-values", "separate"},
				CPUs: 1,
				Rig:  messagesRig,
				Want: Want{Kinds: []string{"io-compaction"}, Function: "messages.store.put"},
				Key:  "written_per_byte",
				Note: "The messages cannot be compressed further. What the store still has to merge when its form's turn " +
					"ends, it merges while the other form is measured, so that the sick form's figures are too low " +
					"rather than too high.",
			},
		},
	}
}

// messagesRig has as many senders as make a store of 250 MB. Their messages come in no order, so that each new table
// overlaps with all that are there.
func messagesRig(_ context.Context, _ Starter) (Rig, error) {
	const senders, size = 4000, 64 << 10
	all := messages.Message(1, 16<<20)
	return Rig{
		Args: []string{"-listen", "127.0.0.1:{port}", "-pprof", "127.0.0.1:{pprof}", "-warm", strconv.Itoa(senders),
			"-warm-bytes", strconv.Itoa(size)},
		Ready: "/readyz", Bytes: "/stats", Metrics: "/metrics",
		// what one core and a disk of some hundred MB/s bear of the sick form; merging comes in lumps of seconds
		Rate: 250, Callers: callers, Window: time.Second, Passes: 8, Patience: 80 * time.Second,
		Request: func(addr string, i uint64) (*http.Request, error) {
			h := draw.Mix(i)
			at := int(h>>32) % (len(all) - size)
			return http.NewRequest(http.MethodPut, "http://"+addr+"/messages/"+messages.Sender(h%senders),
				bytes.NewReader(all[at:at+size]))
		},
	}, nil
}
