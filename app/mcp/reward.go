package mcp

import (
	"encoding/json"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// A Reward is what a proof is worth to an agent: the verdict, and the size of the change with its interval. Nothing
// else counts as proved.
type Reward struct {
	Verdict casefile.Verdict `json:"verdict"`
	Figure  string           `json:"figure,omitempty"` // that decided
	Unit    string           `json:"unit,omitempty"`
	Better  string           `json:"better,omitempty"` // "lower" or "higher"
	Before  float64          `json:"before,omitempty"`
	After   float64          `json:"after,omitempty"`
	// Effect is the change with its 95 % interval; nil where there is none.
	Effect  *casefile.Effect `json:"effect,omitempty"`
	Summary string           `json:"summary"`
	Promise string           `json:"promise,omitempty"` // what the finding promised beside it
}

// rewardOf reads a proof as `casebook prove --json` prints it; nil if there is none.
func rewardOf(printed []byte) *Reward {
	var file struct {
		Kind  string         `json:"kind"`
		Proof casefile.Proof `json:"proof"`
	}
	if json.Unmarshal(printed, &file) != nil || file.Kind != "casebook-proof" || file.Proof.Verdict == "" {
		return nil
	}
	p := &file.Proof
	out := &Reward{Verdict: p.Verdict, Summary: p.Summary, Promise: p.Promise}
	for _, f := range p.Figures {
		if f.Key {
			out.Figure, out.Unit, out.Better, out.Effect = f.Name, f.Unit, f.Better, f.Effect
			out.Before, out.After = f.Before.Value, f.After.Value
		}
	}
	return out
}

func (r *Reward) text() string {
	text := fmt.Sprintf("Verdict: %s. %s\n", r.Verdict, r.Summary)
	if e := r.Effect; e != nil && !e.Absolute {
		text += fmt.Sprintf("%s: %s, 95 %% interval %s to %s\n", r.Figure, signedShare(e.Value), signedShare(e.Low),
			signedShare(e.High))
	}
	return text
}

func signedShare(v float64) string { return number.Signed(number.Share, v) }
