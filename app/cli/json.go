package cli

import (
	"encoding/json"
	"io"

	"github.com/gocasebook/casebook/casefile"
)

// A diagnosisJSON is what `diagnose --json` prints.
type diagnosisJSON struct {
	Schema    int                  `json:"schema"`
	Findings  []casefile.Finding   `json:"findings"`
	Undecided []casefile.Undecided `json:"undecided"`
	Picture   *casefile.Picture    `json:"picture,omitempty"`
}

func newDiagnosisJSON(d casefile.Diagnosis) diagnosisJSON {
	out := diagnosisJSON{Schema: casefile.Schema, Findings: d.Findings, Undecided: d.Undecided, Picture: d.Picture}
	if out.Findings == nil {
		out.Findings = []casefile.Finding{} // [] and not null: programs iterate
	}
	if out.Undecided == nil {
		out.Undecided = []casefile.Undecided{}
	}
	return out
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
