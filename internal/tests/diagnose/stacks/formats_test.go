package stacks_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// The first lines of what other tools wrote.
const (
	folded = "shop-4021;runtime.goexit;net/http.(*conn).serve;main.(*shop).sell;runtime.mallocgc 40\n" +
		"shop-4021;runtime.goexit;net/http.(*conn).serve;main.(*shop).sell;main.price_[i] 70\n" +
		"shop-4021;runtime.goexit;main.loop;internal/runtime/syscall.Syscall6;entry_SYSCALL_64_[k];tcp_sendmsg_[k] 30\n"
	script = "shop  4021/4026  5214.771520:   10101010 cpu-clock:u: \n\t          4a1b2c main.work+0x2c " +
		"(/usr/bin/shop)\n\t          4a1b40 main.main+0x40 (/usr/bin/shop)\n\n"
)

func TestNamesOtherFormats(t *testing.T) {
	for _, tt := range []struct{ name, data, reason, next string }{
		{"perf.data", "PERFILE2\x68\x00\x00\x00", "perf.data", "stackcollapse-perf.pl"},
		{"perf script", script, "perf script", "stackcollapse-perf.pl"},
		{"JFR", "FLR\x00\x00\x02\x00\x01", "JFR", "jfrconv"},
		{"speedscope", `{"version":"0.0.1","$schema":"https://www.speedscope.app/file-format-schema.json","shared":{}}`,
			"speedscope", "pprof"},
		{"Chrome trace", `{"traceEvents":[{"name":"x","ph":"X","ts":1}]}`, "Chrome", "/debug/pprof/profile"},
		{"Chrome trace as a list", `[{"pid":1,"ph":"X","ts":1.5,"name":"x"}]`, "Chrome", "/debug/pprof/profile"},
		{"cpuprofile", `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}}],"startTime":1}`, "cpuprofile",
			"/debug/pprof/profile"},
		{"Gecko", `{"meta":{"interval":1,"preprocessedProfileVersion":49},"libs":[]}`, "Gecko", "folded"},
		{"execution trace", "go 1.26 trace\x00\x00\x00", "execution trace", "go tool trace -pprof=sync"},
		{"folded, of Python", "python;app.py:main (app.py:1);core::ops::call 3\njava.lang.Thread.run;x 4\n",
			"folded stacks that do not come from Go", "Go"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := stacks.NewTable("").Read(stacks.Source{Name: "file"}, []byte(tt.data))
			var p *stacks.Problem
			if !errors.As(err, &p) || !strings.Contains(p.Reason, tt.reason) || !strings.Contains(p.Next, tt.next) {
				t.Errorf("got %v; want a problem with %q and %q", err, tt.reason, tt.next)
			}
			if !stacks.Plausible([]byte(tt.data)) && tt.name != "execution trace" {
				t.Error("it is passed over in a folder, and should be named")
			}
		})
	}
}

func TestReadFolded(t *testing.T) {
	s := mustRead(t, "stacks.folded", []byte(folded))
	if s.Kind != casefile.CPU || len(s.Samples) != 3 || s.Seconds != 0 {
		t.Fatalf("kind %q, %d samples over %v s; want 3 of CPU, and no time", s.Kind, len(s.Samples), s.Seconds)
	}
	if n := s.Total(stacks.ByValue(s.Value("samples", "count"))); n != 140 {
		t.Errorf("%d samples, want 140", n)
	}
	for i, want := range []string{
		"runtime.mallocgc main.(*shop).sell net/http.(*conn).serve runtime.goexit",
		"main.price main.(*shop).sell net/http.(*conn).serve runtime.goexit",
		"internal/runtime/syscall.Syscall6 main.loop runtime.goexit",
	} {
		if got := strings.Join(names(s, s.Samples[i].Stack), " "); got != want {
			t.Errorf("stack %d: %s, want %s", i, got, want)
		}
	}
	if !strings.Contains(s.Remark, "folded stacks") {
		t.Errorf("remark %q does not say what it is", s.Remark)
	}
	_, err := stacks.NewTable("").Read(stacks.Source{Name: "offcpu.folded"}, []byte(folded))
	if err == nil || !strings.Contains(err.Error(), "not of CPU time") {
		t.Errorf("off-CPU stacks gave %v, want them refused", err)
	}
}
