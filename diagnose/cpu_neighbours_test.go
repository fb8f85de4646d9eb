package diagnose

import (
	"encoding/json"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// beside is an account of two CPUs of which the process used 0.4, and others the rest.
func beside(others ...casefile.ProcessUse) casefile.MachineUse {
	waiting, waits := 0.6, 100.0
	return casefile.MachineUse{Seconds: 10, CPUs: 2, All: casefile.CPUUse{User: 1.9, Idle: 0.1},
		Ours: casefile.CPUUse{User: 1.9, Idle: 0.1}, Own: casefile.ProcessUse{PID: 10, Name: "svc", User: 0.4},
		Waiting: &waiting, Waits: &waits, Others: others}
}

func neighboursEvidence(t *testing.T, use casefile.MachineUse) Evidence {
	t.Helper()
	data, err := json.Marshal(use)
	if err != nil {
		t.Fatal(err)
	}
	return Evidence{Name: "neighbours.json", Kind: casefile.Neighbours, Phase: casefile.During, Data: data}
}

// TestMachineUseFile: a file that is none is a problem and no panic.
func TestMachineUseFile(t *testing.T) {
	for _, data := range []string{"", "{}", "[1]", `{"seconds":1e300,"ours":{"user":-5,"idle":9}}`,
		`{"seconds":1,"ours":{"idle":2},"others":[{"user":1e300}]}`} {
		_, rep := read(t.Context(), Input{Evidence: []Evidence{{Name: "n", Kind: casefile.Neighbours, Data: []byte(data)}}})
		if len(rep.Problems) != 1 {
			t.Errorf("%q: %d problems, want one", data, len(rep.Problems))
		}
	}
}
