package facts_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// crowded is a process on a machine whose CPUs others use, in which 40 requests are in a state.
func crowded(state string, own float64) diagnose.Input {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "goroutine %d [%s]:\nmain.(*shop).get(0xc000)\n\t/src/main.go:34 +0x1d\n", i+1, state)
		fmt.Fprint(&b, "net/http.(*conn).serve(0xc001)\n\t/go/src/net/http/server.go:2103 +0x1d\n\n")
	}
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	var v strings.Builder
	v.WriteString(`{"schema":1,"units":{"cpu":"cores","cpu_share":"share","others_cpu":"cores","spare_cpu":"cores",` +
		`"cpu_pressure":"share"}}` + "\n")
	for i := range 20 {
		fmt.Fprintf(&v, `{"t":%q,"cpu":%g,"cpu_share":%g,"others_cpu":1.9,"spare_cpu":0,"cpu_pressure":0.98}`+"\n",
			at.Add(time.Duration(i)*time.Second).Format(time.RFC3339), own, own/2)
	}
	machine := fmt.Sprintf(`{"seconds":10,"cpus":2,"all":{"user":2},"ours":{"user":2},"own":{"pid":1,"user":%g},`+
		`"waiting":1.5,"others":[{"pid":2,"name":"compile","user":1.9}]}`, own)
	return diagnose.Input{Build: casefile.Build{Module: "main"}, Limits: casefile.Limits{CPUs: 2},
		Evidence: []diagnose.Evidence{
			{Name: "goroutines.txt", Kind: casefile.GoroutineDump, Taken: at, Data: []byte(b.String())},
			{Name: "vitals.jsonl", Kind: casefile.Vitals, Taken: at, Data: []byte(v.String())},
			{Name: "neighbours.json", Kind: casefile.Neighbours, Taken: at, Data: []byte(machine)}}}
}

// TestNeighbours: on a crowded machine threads of every process wait for a CPU. That explains requests that run, and
// none that wait for a lock.
func TestNeighbours(t *testing.T) {
	harm := func(state string, own float64) float64 {
		s, _, err := facts.Read(context.Background(), crowded(state, own), facts.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range s.Facts {
			if f.Sort == facts.Machine && strings.Contains(f.Text, "Other processes") {
				return f.Harm
			}
		}
		t.Fatalf("requests %s: no fact says who else uses the CPUs:\n%s", state, texts(s.Facts))
		return 0
	}
	if locked, run := harm("sync.Mutex.Lock", 0.05), harm("runnable", 0.05); locked > 0.05 || run < 5*locked {
		t.Errorf("harm %g where requests wait for a lock, %g where they run", locked, run)
	}
	if idle, busy := harm("sync.Mutex.Lock", 0.05), harm("sync.Mutex.Lock", 1.4); busy < 5*idle {
		t.Errorf("harm %g of a process that uses little, %g of one near what it may use", idle, busy)
	}
}

// TestIdleConnections: connections that are kept for the next request, and become no more, explain little.
func TestIdleConnections(t *testing.T) {
	idle := func(n int) []byte {
		const module = "/root/go/pkg/mod/github.com/valyala/fasthttp@v1.51.0/"
		return fmt.Appendf(nil, "goroutine profile: total %d\n%d @ 0x1 0x2 0x3 0x4 0x5 0x6\n"+
			"#\t0x1\tinternal/poll.runtime_pollWait+0x1\t/go/src/runtime/netpoll.go:351\n"+
			"#\t0x2\tnet.(*netFD).Read+0x1\t/go/src/net/fd_posix.go:68\n"+
			"#\t0x3\tbufio.(*Reader).Peek+0x1\t/go/src/bufio/bufio.go:152\n"+
			"#\t0x4\tgithub.com/valyala/fasthttp.(*Server).serveConn+0x1\t%sserver.go:2169\n"+
			"#\t0x5\tgithub.com/valyala/fasthttp.(*workerPool).workerFunc+0x1\t%sworkerpool.go:224\n"+
			"#\t0x6\tgithub.com/valyala/fasthttp.(*workerPool).getCh.func1+0x1\t%sworkerpool.go:196\n\n",
			n, n, module, module, module)
	}
	for name, n := range map[string][2]int{"kept": {130, 132}, "growing": {130, 1300}} {
		at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
		in := diagnose.Input{Build: casefile.Build{Module: "main"}, Evidence: []diagnose.Evidence{
			{Name: "1.txt", Kind: casefile.Goroutine, Taken: at, Data: idle(n[0])},
			{Name: "2.txt", Kind: casefile.Goroutine, Taken: at.Add(10 * time.Second), Data: idle(n[1])}}}
		s := read(t, in)
		most := 0.0
		for _, f := range measured(s) {
			most = max(most, f.Harm)
		}
		if name == "kept" && most > 0.1 || name == "growing" && most < 0.2 {
			t.Errorf("%s connections: most harm %g\n%s", name, most, texts(s.Facts))
		}
	}
}
