package trace

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// TestGRPC: a recorded gRPC service (testdata/grpc) has a row for each method of server and client. What gRPC's own
// statistics say of number and delay, the rows say within 5 %, or 50 µs: a request reaches its goroutine before gRPC
// looks at the clock, and that goroutine may wait for a processor.
func TestGRPC(t *testing.T) {
	data := readTrace(t, "testdata/grpc/grpc.trace.gz")
	text, err := os.ReadFile("testdata/grpc/grpc.json")
	if err != nil {
		t.Fatal(err)
	}
	var said map[string]traces.Times
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	s := summaryOf(t, data)
	if len(s.Warnings) > 0 {
		t.Errorf("warnings: %q", s.Warnings)
	}
	sides, unseen := make(map[string]int64), int64(0)
	for name, want := range said {
		side, _, _ := strings.Cut(name, " TestService/")
		if name == "gRPC client TestService/StreamingOutputCall" {
			continue // a stream has no function that lasts as long as it does
		}
		sides[side] += want.Count
		if name == "gRPC server TestService/EmptyCall" || name == "gRPC server TestService/CacheableUnaryCall" {
			unseen += want.Count // these only compute
			if k := kindNamed(s, name); k != nil {
				unseen -= k.Times.Count
			}
			continue
		}
		checkMethod(t, s, name, want)
	}
	for side, want := range sides {
		if k := kindNamed(s, side); k == nil || k.Times.Count != want {
			t.Errorf("%s: %+v, want %d", side, k, want)
		}
	}
	if k := kindNamed(s, "gRPC server (method not seen)"); k == nil || k.Times.Count != unseen {
		t.Errorf("of requests that only compute %+v, want %d", k, unseen)
	}
	splitsGRPC(t, s)
}

// checkMethod compares a row with gRPC's own statistics.
func checkMethod(t *testing.T, s *traces.Summary, name string, want traces.Times) {
	t.Helper()
	k := kindNamed(s, name)
	if k == nil {
		t.Errorf("no row of %s", name)
		return
	}
	t.Logf("%-44s number %d, gRPC says %d; mean %v, %v; p50 %v, %v; p99 %v, %v", name, k.Times.Count, want.Count,
		k.Times.Mean(), want.Mean(), k.Times.P50, want.P50, k.Times.P99, want.P99)
	if k.Times.Count != want.Count || k.Open != 0 {
		t.Errorf("%s: %d calls and %d open ones, gRPC says %d", name, k.Times.Count, k.Open, want.Count)
	}
	const slack = 50 * time.Microsecond
	near(t, name+", mean", k.Times.Mean(), want.Mean(), slack)
	near(t, name+", p50", k.Times.P50, want.P50, slack)
	near(t, name+", p99", k.Times.P99, want.P99, slack)
	near(t, name+", where the time went", k.Spent.Sum(), k.Times.Total, time.Millisecond)
}

// splitsGRPC wants the time of each method where its program spends it.
func splitsGRPC(t *testing.T, s *traces.Summary) {
	t.Helper()
	for name, part := range map[string]func(traces.Spent) time.Duration{
		"gRPC server TestService/UnaryCall":         func(p traces.Spent) time.Duration { return p.Sleep },
		"gRPC server TestService/UnimplementedCall": func(p traces.Spent) time.Duration { return p.Sleep },
		"gRPC client TestService/UnaryCall":         func(p traces.Spent) time.Duration { return p.Select },
	} {
		k := kindNamed(s, name)
		if k == nil || part(k.Spent)*10 < k.Spent.Sum()*9 {
			t.Errorf("%s: %+v, want nine tenths of it in one part", name, k)
		}
	}
	if !slices.ContainsFunc(s.Slowest, func(r traces.Request) bool {
		return r.Kind == "gRPC server TestService/UnaryCall"
	}) {
		t.Error("none of the slowest requests has the name of its method")
	}
}

func TestMethodNames(t *testing.T) {
	for _, c := range []struct{ function, serves, calls string }{
		{"google.golang.org/grpc/examples/helloworld/helloworld._Greeter_SayHello_Handler", "Greeter/SayHello", ""},
		{"google.golang.org/grpc/examples/helloworld/helloworld._Greeter_SayHello_Handler.func1", "", ""},
		{"example.org/v1.2/pb._Old_Style_Get_Handler", "Old_Style_Get", ""},
		{"example.org/pb._Plain_Handler", "", ""},
		{"example.org/pb.Greeter_SayHello_Handler", "", ""},
		{"example.org/pb.(*greeterClient).SayHello", "", "Greeter/SayHello"},
		{"go.etcd.io/etcd/api/v3/etcdserverpb.(*kVClient).Range", "", "KV/Range"},
		{"example.org/pb.(*greeterClient).SayHello.func1", "", ""},
		{"example.org/pb.(*Client).Get", "", ""},
		{"example.org/pb.(*cacheClient[...]).Get", "", ""},
		{"main.main", "", ""},
		{"", "", ""},
	} {
		if got := servedMethod(c.function); got != c.serves {
			t.Errorf("%s serves %q, want %q", c.function, got, c.serves)
		}
		if got := calledMethod(c.function); got != c.calls {
			t.Errorf("%s calls %q, want %q", c.function, got, c.calls)
		}
	}
}
