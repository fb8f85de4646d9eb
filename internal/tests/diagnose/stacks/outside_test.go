package stacks_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// agentProfile is a profile as eBPF agents write it: sample counts, the time in the period, the kernel's frames
// included.
func agentProfile(t *testing.T, types []*profile.ValueType, values []int64) []byte {
	t.Helper()
	kernel := &profile.Mapping{ID: 1, File: "[kernel.kallsyms]"}
	bin := &profile.Mapping{ID: 2, File: "/usr/bin/shop"}
	p := &profile.Profile{SampleType: types, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:        52_631_578,
		DurationNanos: 10e9, Mapping: []*profile.Mapping{kernel, bin}}
	loc := func(m *profile.Mapping, name string) *profile.Location {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
		p.Function = append(p.Function, f)
		l := &profile.Location{ID: uint64(len(p.Location) + 1), Mapping: m, Line: []profile.Line{{Function: f}}}
		p.Location = append(p.Location, l)
		return l
	}
	write := []*profile.Location{loc(kernel, "tcp_sendmsg"), loc(kernel, "do_syscall_64"),
		loc(bin, "internal/runtime/syscall.Syscall6"),
		loc(bin, "syscall.write"), loc(bin, "main.handler"), loc(bin, "runtime.goexit")}
	work := []*profile.Location{loc(nil, "clear_page_erms"), loc(nil, "asm_exc_page_fault"),
		loc(bin, "runtime.mallocgc"), loc(bin, "main.work"), loc(bin, "main.main")}
	p.Sample = []*profile.Sample{{Location: write, Value: values}, {Location: work, Value: values}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func names(s *stacks.Set, stack []stacks.FrameID) (out []string) {
	for _, id := range stack {
		out = append(out, s.Table.Func(id).Name)
	}
	return out
}

// TestAgentProfile: profiles of Parca's agent and of OpenTelemetry's profiler (samples only), and of Grafana's (time
// only), are read like Go's own.
func TestAgentProfile(t *testing.T) {
	for _, tt := range []struct {
		name  string
		types []*profile.ValueType
		value int64
	}{
		{"samples", []*profile.ValueType{{Type: "samples", Unit: "count"}}, 7},
		{"time", []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, 7 * 52_631_578},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := mustRead(t, "agent.pb.gz", agentProfile(t, tt.types, []int64{tt.value}))
			if s.Kind != casefile.CPU || s.Seconds != 10 {
				t.Fatalf("kind %q over %v s, want cpu over 10 s", s.Kind, s.Seconds)
			}
			ns, n := s.Total(stacks.ByValue(s.Value("cpu", "nanoseconds"))), s.Total(stacks.ByValue(s.Value("samples", "count")))
			if n != 14 || ns != 14*52_631_578 {
				t.Errorf("%d samples and %d ns, want 14 and 14 periods", n, ns)
			}
			for i, want := range [][]string{{"internal/runtime/syscall.Syscall6", "syscall.write", "main.handler",
				"runtime.goexit"}, {"runtime.mallocgc", "main.work", "main.main"}} {
				if got := names(s, s.Samples[i].Stack); !slices.Equal(got, want) {
					t.Errorf("stack %d is %v, want %v", i, got, want)
				}
			}
			if s.Samples[0].Class != stacks.Syscall || s.Samples[1].Class != stacks.Malloc {
				t.Errorf("classes %v and %v, want a system call and an allocation", s.Samples[0].Class,
					s.Samples[1].Class)
			}
			for _, want := range []string{"period of 52.6 ms", "kernel", "no line numbers"} {
				if !strings.Contains(s.Remark, want) {
					t.Errorf("remark %q does not say %q", s.Remark, want)
				}
			}
		})
	}
}

// TestOtherSamples: a profile that counts samples of something else is not a CPU profile.
func TestOtherSamples(t *testing.T) {
	p, err := profile.ParseData(agentProfile(t, []*profile.ValueType{{Type: "samples", Unit: "count"}}, []int64{1}))
	if err != nil {
		t.Fatal(err)
	}
	p.PeriodType = &profile.ValueType{Type: "wall", Unit: "nanoseconds"}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if s := mustRead(t, "wall.pb.gz", b.Bytes()); s.Kind != "" {
		t.Errorf("kind %q, want none", s.Kind)
	}
}

// TestGoStaysAsItIs: Go's own profiles need no remark, and lose no frames.
func TestGoStaysAsItIs(t *testing.T) {
	s := mustRead(t, "cpu.pb.gz", recorded(t, "cpu_hot_function/fault/cpu.pb.gz"))
	if s.Remark != "" || len(s.Types) != 2 {
		t.Errorf("remark %q and %d types, want none and 2", s.Remark, len(s.Types))
	}
}
