package anonymize

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestNeighbours: numbers and public names stay; names of the owner's own programs, units and containers do not.
func TestNeighbours(t *testing.T) {
	use := casefile.MachineUse{Seconds: 10, CPUs: 2, Own: casefile.ProcessUse{PID: 7, Name: "secretsvc", User: 0.4},
		Others: []casefile.ProcessUse{{PID: 8, Name: "postgres", Job: "secretjob", Unit: "secret.service", User: 1.4},
			{PID: 9, Name: "secretsvc", Container: "secret012345"}}}
	data, err := json.Marshal(use)
	if err != nil {
		t.Fatal(err)
	}
	n := fixed(t)
	out, err := n.neighbours(data)
	if err != nil {
		t.Fatal(err)
	}
	var got casefile.MachineUse
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out, []byte("secret")) || got.Others[0].Name != "postgres" || got.Others[0].User != 1.4 ||
		got.Own.Name != got.Others[1].Name || got.Own.Name == "" {
		t.Errorf("the copy is %s", out)
	}
	if _, err := n.neighbours([]byte("[")); err == nil {
		t.Error("what is no JSON was copied")
	}
}
