package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/lab/serve/servetest"
)

func TestBadFlags(t *testing.T) {
	type main func(context.Context, []string, io.Writer, io.Writer) int
	for _, tt := range []struct {
		name string
		main main
		args string
		want string
	}{
		{"no broker", Main, "", "-brokers must name a broker"},
		{"broker without a port", Main, "-brokers 127.0.0.1", "-brokers must be host:port"},
		{"compression", Main, "-brokers a:1 -compression gzip", "-compression must be one of zlib-9"},
		{"proto", Main, "-brokers a:1 -proto json", "-proto must be one of dynamic"},
		{"buffers", Main, "-brokers a:1 -buffers big", "-buffers must be one of kept, new, pool"},
		{"catalogue", Main, "-brokers a:1 -catalogue map", "-catalogue must be one of pointers, flat"},
		{"format", Main, "-brokers a:1 -format x", "-format must be one of fmt, append"},
		{"write", Main, "-brokers a:1 -write x", "-write must be one of direct, buffered"},
		{"gc", Main, "-brokers a:1 -gc off", "-gc must be one of runtime, gctune"},
		{"start", Main, "-brokers a:1 -start now", "-start must be one of committed, end"},
		{"groups", Main, "-brokers a:1 -groups archive,tables", "-groups must be one of archive, table, counts"},
		{"group twice", Main, "-brokers a:1 -groups table,table", "-groups names table twice"},
		{"batch", Main, "-brokers a:1 -batch 0", "-batch must be from 1"},
		{"linger", Main, "-brokers a:1 -linger -1s", "-linger must be from 0"},
		{"items", Main, "-brokers a:1 -items 0", "-items must be from 1"},
		{"segment", Main, "-brokers a:1 -segment 1", "-segment must be 1024"},
		{"left over", Main, "serve", `unexpected argument "serve"`},
		{"store", Main, "-brokers a:1 -store here", "-store must be host:port"},
		{"transport", Main, "-brokers a:1 -transport zlib", "-transport must be one of socket, buffered"},
		{"keep of the store", StoreMain, "-keep 0", "-keep must be from 1"},
		{"address of the store", StoreMain, "-listen here", "-listen must be host:port"},
		{"fetch without a store", Main, "-brokers a:1 -fetch-every 1s", "-fetch-every needs -store"},
		{"fetch", Main, "-brokers a:1 -store a:1 -fetch-every 1ms", "-fetch-every must be 100ms"},
		{"large", BrokerMain, "-large 2", "-large must be from 0 to 1"},
		{"large bytes", BrokerMain, "-large-bytes 10", "-large-bytes must be from 1000"},
		{"sample", BrokerMain, "-sample 0", "-sample must be above 0"},
		{"rate", BrokerMain, "-rate -1", "-rate must be from 0"},
		{"events", BrokerMain, "-events 0", "-events must be from 1"},
		{"retention", BrokerMain, "-retention 1ms", "-retention must be 1s"},
		{"partitions", BrokerMain, "-partitions 0", "-partitions must be from 1"},
		{"listen", BrokerMain, "-listen here", "-listen must be host:port"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := tt.main(t.Context(), strings.Fields(tt.args), &stdout, &stderr)
			if code != 2 || !strings.Contains(stderr.String(), tt.want) || stdout.Len() > 0 {
				t.Errorf("exit code %d, stdout %q, stderr:\n%s\nwant 2 and %q", code, &stdout, &stderr, tt.want)
			}
		})
	}
}

func TestFolderThatCannotBe(t *testing.T) {
	var stderr bytes.Buffer
	code := Main(t.Context(), []string{"-brokers", "127.0.0.1:1", "-items", "10", "-listen", "127.0.0.1:0", "-dir",
		"/dev/null/x"}, io.Discard, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), "give one that can be written with -dir") {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
}

// TestBrokerMain: the embedded broker and its producer feed a worker. Its folder is gone when it has ended.
func TestBrokerMain(t *testing.T) {
	var broker brokerAddresses
	b := servetest.Start(t, BrokerMain, &broker, "-rate", "200", "-events", "3", "-items", "1000")
	r := &running{}
	r.Process = servetest.Start(t, Main, &r.where, "-listen", "127.0.0.1:0", "-pprof", "127.0.0.1:0", "-brokers",
		broker.Brokers, "-items", "1000", "-gc", "runtime", "-groups", "table")
	got := r.wait(t, "some records", func(s statsReply) bool { return s.Done >= 100 })
	if len(got.Groups) != 1 || got.Groups["table"].Bytes == 0 {
		text, _ := json.Marshal(got)
		t.Errorf("with -groups table it counts %s", text)
	}
	r.stopped(t)
	b.Stop()
	if code := <-b.Code; code != 0 {
		t.Errorf("the broker ended with %d: %s", code, b.Stderr)
	}
}
