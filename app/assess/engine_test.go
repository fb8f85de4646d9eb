package assess_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// engineNames are the names under which clients push the files of a case.
var engineNames = map[string]string{"cpu.pb.gz": "process_cpu", "heap-after.pb.gz": "memory",
	"goroutine.pb.gz": "goroutines"}

// push puts the profiles of a recorded program into an engine, and returns the paths of their files.
func push(t *testing.T, s *enginetest.Server, program string) (files []string) {
	t.Helper()
	folder, recorded := checkout.Folder(t, "foreign/"+program), checkout.Case(t, "foreign/"+program)
	for file, name := range engineNames {
		data, ok := recorded[file]
		if !ok {
			continue
		}
		files = append(files, filepath.Join(folder, file))
		p, err := profile.ParseData(data)
		if err != nil {
			t.Fatal(err)
		}
		if name != "process_cpu" {
			p.DurationNanos = 0
		}
		for i := range 24 {
			for pod := range 2 {
				s.Add(map[string]string{"service_name": program, "pod": fmt.Sprint(pod)}, name,
					time.Now().Add(time.Minute-time.Duration(i)*15*time.Second), p)
			}
		}
	}
	return files
}

// Other people's programs, recorded as files, are judged the same by way of an engine that cut their profiles into
// values and summed those of two instances: at the same line, of the same kind. What a bound on the program's cores
// decides is not known to an engine, and those are not among them.
func TestEngineSaysWhatFilesSay(t *testing.T) {
	for _, e := range []struct {
		name  string
		start func(testing.TB) *enginetest.Server
	}{{"pyroscope", enginetest.NewPyroscope}, {"parca", enginetest.NewParca}} {
		for program, least := range map[string]int{"coredns-dnssec": 1, "etcd-watches": 1, "registry-catalogue": 2,
			"caddy-slow": 0, "coredns-healthy": 0, "nats-slow": 0, "prometheus-labels": 0} {
			t.Run(e.name+"/"+program, func(t *testing.T) {
				t.Parallel()
				s := e.start(t)
				want := judged(t, push(t, s, program)...)
				got := judged(t, e.name+"://"+s.Host+"?service="+program)
				if len(want) < least {
					t.Errorf("of files there are %v, want %d findings at least: there is nothing to compare", want, least)
				}
				for key, score := range want {
					if now, ok := got[key]; !ok {
						t.Errorf("%s (%d) is not among the findings by way of the engine: %v", key, score, got)
					} else if max(now-score, score-now) > 15 {
						t.Errorf("%s has %d by way of the engine, want about %d", key, now, score)
					}
				}
				for key, score := range got {
					if _, ok := want[key]; !ok {
						t.Errorf("%s (%d) comes by way of the engine alone; of files come %v", key, score, want)
					}
				}
			})
		}
	}
}

// judged returns the scores of findings by kind and line.
func judged(t *testing.T, what ...string) map[string]int {
	t.Helper()
	got, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: what,
		Reach: func(url string) (casework.Target, error) { return casework.Target{URL: url}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range got.Failed {
		t.Errorf("%v: %v", what, err)
	}
	all := make(map[string]int)
	for _, f := range got.Findings {
		all[f.Kind+" at "+place(f)] = f.Score
	}
	return all
}

func place(f casefile.Finding) string {
	if len(f.Where) == 0 {
		return "no line"
	}
	return fmt.Sprintf("%s:%d", f.Where[0].Function, f.Where[0].Line)
}
