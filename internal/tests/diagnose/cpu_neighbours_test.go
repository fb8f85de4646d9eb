package diagnose_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/vitals"
)

const neighboursKind, stealKind = "cpu-neighbours", "cpu-steal"

// A besideTruth is a recording of testdata/neighbours: a service of lab/trial beside other people's programs, and what
// an expert says of it.
type besideTruth struct {
	Name  string   `json:"name"`
	Kind  string   `json:"kind"`  // that must be found; "" for none of the two
	Most  int      `json:"most"`  // of the score; 0 with a kind: any
	Least int      `json:"least"` // of the score; 0: worth knowing
	Names []string `json:"names"` // processes that the finding must name, the first one in the title
	Why   string   `json:"why"`
}

// TestNeighboursRecorded: programs by other hands that take the CPU from a service, and situations in which nobody
// does.
func TestNeighboursRecorded(t *testing.T) {
	checkout.Need(t)
	var truths []besideTruth
	data, err := os.ReadFile("../../../diagnose/testdata/neighbours/truth.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &truths); err != nil {
		t.Fatal(err)
	}
	for _, tt := range truths {
		t.Run(tt.Name, func(t *testing.T) {
			rep := diagnose.Run(t.Context(), besideOf(t, tt.Name), diagnose.Options{})
			i := slices.IndexFunc(rep.Findings, func(f casefile.Finding) bool {
				return f.Kind == neighboursKind || f.Kind == stealKind
			})
			if i < 0 {
				if tt.Kind != "" {
					t.Errorf("found %v, want %s: %s", titlesOf(rep.Findings), tt.Kind, tt.Why)
				}
				return
			}
			f := rep.Findings[i]
			t.Logf("%d %s: %s\n%s\n%s", f.Score, f.Kind, f.Title, f.Summary, f.Remedies[0].Title)
			switch {
			case tt.Kind == "" && f.Score > tt.Most:
				t.Errorf("found %d %s, want none: %s", f.Score, f.Title, tt.Why)
			case tt.Kind != "" && tt.Most > 0 && f.Score > tt.Most:
				t.Errorf("found %d %s, want %d at most: %s", f.Score, f.Title, tt.Most, tt.Why)
			case tt.Kind != "" && (f.Kind != tt.Kind || f.Score < max(tt.Least, worthKnowing)):
				t.Errorf("found %d %s, want %d or more of %s: %s", f.Score, f.Title, tt.Least, tt.Kind, tt.Why)
			}
			for k, name := range tt.Names {
				if !strings.Contains(f.Summary, "("+name) || k == 0 && !strings.Contains(f.Title, "("+name) {
					t.Errorf("it says %q and %q, want it to name %s", f.Title, f.Summary, name)
				}
			}
		})
	}
}

func besideOf(t *testing.T, name string) diagnose.Input {
	t.Helper()
	in := diagnose.Input{Limits: casefile.Limits{CPUs: 2}}
	files := checkout.Case(t, "neighbours/"+name)
	for _, file := range files.Names() {
		kind := casefile.Vitals
		if strings.HasSuffix(file, "neighbours.json") {
			kind = casefile.Neighbours
		}
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: file, Kind: kind, Phase: casefile.During,
			Data: files[file]})
	}
	return in
}

// beside is an account of two CPUs of which the process used 0.4, and others the rest.
func beside(others ...casefile.ProcessUse) casefile.MachineUse {
	waiting, waits := 0.6, 100.0
	return casefile.MachineUse{Seconds: 10, CPUs: 2, All: casefile.CPUUse{User: 1.9, Idle: 0.1},
		Ours: casefile.CPUUse{User: 1.9, Idle: 0.1}, Own: casefile.ProcessUse{PID: 10, Name: "svc", User: 0.4},
		Waiting: &waiting, Waits: &waits, Others: others}
}

func neighboursEvidence(t *testing.T, use casefile.MachineUse) diagnose.Evidence {
	t.Helper()
	data, err := json.Marshal(use)
	if err != nil {
		t.Fatal(err)
	}
	return diagnose.Evidence{Name: "neighbours.json", Kind: casefile.Neighbours, Phase: casefile.During, Data: data}
}

// TestNeighbourRemedies: the remedy follows from who the neighbour is and from where it runs. nice decides nothing
// between cgroups and sessions.
func TestNeighbourRemedies(t *testing.T) {
	const same = true
	for _, tt := range []struct {
		name      string
		other     casefile.ProcessUse
		autogroup bool
		want      []string // in the remedies
		not       string
	}{
		{"a build in the same session", casefile.ProcessUse{PID: 42, Name: "compile", Job: "go", JobPID: 40,
			SameGroup: same, SameSession: same}, true, []string{"Move one of the two", "renice -n 19 -p 40"}, "autogroup"},
		{"in another session", casefile.ProcessUse{PID: 42, Name: "xz", SameGroup: same}, true,
			[]string{"/proc/42/autogroup"}, "renice -n 19 -p"},
		{"without autogroups", casefile.ProcessUse{PID: 42, Name: "xz", SameGroup: same}, false,
			[]string{"renice -n 19 -p 42"}, "autogroup"},
		{"a unit", casefile.ProcessUse{PID: 42, Name: "postgres", Unit: "postgresql.service"}, false,
			[]string{"Move one of the two", "systemctl set-property postgresql.service CPUWeight"}, "renice"},
		{"a container", casefile.ProcessUse{PID: 42, Name: "java", Container: "3f2a9c001122"}, false,
			[]string{"docker update --cpu-shares 128 3f2a9c001122", "requests.cpu"}, "renice"},
		{"a load generator", casefile.ProcessUse{PID: 42, Name: "wrk", Client: true, SameGroup: same}, false,
			[]string{"Send the load from another machine"}, "Move one"},
		{"the kernel frees memory", casefile.ProcessUse{PID: 42, Name: "kswapd0", Kernel: true, SameGroup: same}, false,
			[]string{"memory is what is short"}, "renice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.other.User, tt.other.Processes = 1.4, 1
			use := beside(tt.other)
			use.Autogroup = tt.autogroup
			f, score := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{neighboursEvidence(t, use)}}, neighboursKind)
			if score != neighbourUnfelt || !strings.Contains(f.Title, "took 1.4 of 2 CPUs while this one waited") {
				t.Fatalf("%d %s", score, f.Title)
			}
			all := ""
			for _, r := range f.Remedies {
				all += r.Title + ": " + r.Text + "\n"
			}
			for _, want := range tt.want {
				if !strings.Contains(all, want) {
					t.Errorf("want %q in\n%s", want, all)
				}
			}
			if strings.Contains(all, tt.not) {
				t.Errorf("want no %q in\n%s", tt.not, all)
			}
		})
	}
}

// TestNeighbourNamed: who is named is who takes CPU from the process, and not who uses most.
func TestNeighbourNamed(t *testing.T) {
	use := func(name string, cpu float64, change func(*casefile.ProcessUse)) casefile.ProcessUse {
		u := casefile.ProcessUse{PID: 42, Name: name, User: cpu, Processes: 1, SameGroup: true, SameSession: true}
		if change != nil {
			change(&u)
		}
		return u
	}
	small := use("small", 0.5, nil)
	for name, change := range map[string]func(*casefile.ProcessUse){
		"a nicer one":           func(u *casefile.ProcessUse) { u.Nice = 19 },
		"one on other CPUs":     func(u *casefile.ProcessUse) { u.Elsewhere = true },
		"the watch itself":      func(u *casefile.ProcessUse) { u.Casebook = true },
		"what it has started":   func(u *casefile.ProcessUse) { u.Child = true },
		"an escape of terminal": func(u *casefile.ProcessUse) { u.Name, u.Nice = "\x1b[31mred", 19 },
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{neighboursEvidence(t,
				beside(use("large", 0.9, change), small))}},
				neighboursKind)
			if !strings.HasPrefix(f.Title, "Process 42 (small)") || strings.ContainsRune(f.Summary, '\x1b') {
				t.Errorf("it names %q, want small", f.Title)
			}
		})
	}
}

// TestNeighboursSilent: what is no neighbour's doing, or nobody's trouble.
func TestNeighboursSilent(t *testing.T) {
	other := casefile.ProcessUse{PID: 42, Name: "xz", User: 1.4, Processes: 1, SameGroup: true}
	quick := func(id vitals.ID, v float64) diagnose.Evidence {
		return history(t, noon.Add(-time.Hour), map[vitals.ID]func(int) float64{id: constant(v)})
	}
	for _, tt := range []struct {
		name   string
		change func(*casefile.MachineUse)
		more   []diagnose.Evidence
		kind   string // that is found
		most   int    // of cpu-neighbours
	}{
		{"the others leave CPUs idle", func(u *casefile.MachineUse) { u.Ours.User, u.Ours.Idle = 1.2, 0.8 }, nil, "", 0},
		{"it competes with itself", func(u *casefile.MachineUse) { u.Own.User, u.Others[0].User = 1.8, 0.1 }, nil, "", 0},
		{"its threads hardly wait", func(u *casefile.MachineUse) { *u.Waiting = 0.05 }, nil, "", 0},
		{"nobody waits for it", func(u *casefile.MachineUse) { *u.Waits = 10_000 }, nil, neighboursKind, neighbourUnfelt},
		{"requests are on time", nil, []diagnose.Evidence{quick(vitals.HTTPLatencyP50, 0.002)}, "", 0},
		{"its own back end takes the CPUs", func(u *casefile.MachineUse) { u.Others[0].Server = true }, nil, "", 0},
		{"the waiting is little of what requests take", nil, []diagnose.Evidence{requests(t, 100, 0.2)}, "", 0},
		{"the waiting is most of what requests take", nil, []diagnose.Evidence{requests(t, 50, 0.02)}, neighboursKind, 100},
		{"a quota stops it", nil, []diagnose.Evidence{quick(vitals.Throttled, 0.6)}, "", 0},
		{"the hypervisor takes the CPUs", func(u *casefile.MachineUse) {
			u.Ours.User, u.Ours.Steal, u.Others[0].User = 0.8, 1.1, 0.4
		}, nil, stealKind, 0},
		{"the watch takes the CPUs", func(u *casefile.MachineUse) { u.Others[0].Casebook = true }, nil, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			use := beside(other)
			if tt.change != nil {
				tt.change(&use)
			}
			in := diagnose.Input{Limits: casefile.Limits{CPUs: 2}, Evidence: append(tt.more, neighboursEvidence(t, use))}
			if f, score := scoreOf(t, in, neighboursKind); score > tt.most {
				t.Errorf("found %d %s", score, f.Title)
			}
			if _, score := scoreOf(t, in, stealKind); score > 0 != (tt.kind == stealKind) {
				t.Errorf("cpu-steal has %d, want it found: %v", score, tt.kind == stealKind)
			}
		})
	}
}

// requests is a history of so many a second, each of which takes so long.
func requests(t *testing.T, rate, took float64) diagnose.Evidence {
	t.Helper()
	return history(t, noon.Add(-time.Hour), map[vitals.ID]func(int) float64{vitals.HTTPRate: constant(rate),
		vitals.HTTPLatencyP50: constant(took)})
}

// TestNeighboursUnnamed: the vitals alone tell that others had the CPU, and name nobody; a container sees its own
// processes only.
func TestNeighboursUnnamed(t *testing.T) {
	late := map[vitals.ID]func(int) float64{vitals.OthersCPU: constant(1.5), vitals.SpareCPU: constant(0.1),
		vitals.CPU: constant(0.4), vitals.CPUPressure: constant(0.95), vitals.ProbeTime: constant(0.8)}
	f, score := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{history(t, noon, late)}}, neighboursKind)
	if score != neighbourUnfelt || !strings.Contains(f.Title, "Other processes took 1.5 of 2 CPUs") || f.Confidence > 0.6 {
		t.Errorf("%d %g %s", score, f.Confidence, f.Title)
	}
	use := beside()
	use.Unseen = 1.4
	f, score = scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{neighboursEvidence(t, use)}}, neighboursKind)
	if score != neighbourUnfelt || !strings.Contains(f.Summary, "cannot be seen from here") {
		t.Errorf("%d %s: %s", score, f.Title, f.Summary)
	}
}
