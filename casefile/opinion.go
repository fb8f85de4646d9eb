package casefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// An Opinion is an answer that somebody gave to a case (a person, a script, an agent), as it was checked. It stands
// beside the findings and decides nothing: a proof alone makes it more.
type Opinion struct {
	ID     string    `json:"id"`     // "O1", counted within the case
	Author string    `json:"author"` // who gave it, as they call themselves
	Given  time.Time `json:"given"`

	Where  []At     `json:"where"`            // the first is the place to change
	Cause  string   `json:"cause"`            // why, in their words
	Change string   `json:"change,omitempty"` // what to change, in their words
	Diff   string   `json:"diff,omitempty"`   // the same as a unified diff, relative to the folder of the module
	Rests  []string `json:"rests,omitempty"`  // IDs of the facts that it cites: "W1"
	Gain   *Claim   `json:"gain,omitempty"`   // what the change should bring; nil where nothing was claimed

	Verdict string   `json:"verdict"`           // "supported", "unsupported", "contradicted"
	Reasons []Reason `json:"reasons,omitempty"` // the worst first
	// Proof is what measuring the change brought; nil until somebody did.
	Proof *OpinionProof `json:"proof,omitempty"`
}

// What a check says of an opinion, and of each part of it.
const (
	Supported    = "supported"    // the evidence shows what it says
	Unsupported  = "unsupported"  // the evidence does not show it
	Contradicted = "contradicted" // the evidence, or the code, shows otherwise
)

// An At is a place in the code, as far as it is known.
type At struct {
	Function string `json:"function,omitempty"` // as in profiles
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// A Claim is the part of a resource that a change should bring.
type Claim struct {
	Resource string  `json:"resource"` // as that of an Impact: "cpu", "memory", "latency", "goroutines"
	Low      float64 `json:"low"`      // 0–1
	High     float64 `json:"high"`
}

// A Reason is what a check says of one part of an opinion.
type Reason struct {
	Verdict string   `json:"verdict"`
	About   string   `json:"about"`           // "place", "fact", "number", "gain", "version", "setting", "diff", "cure", "text"
	Text    string   `json:"text"`            // "main.go has no line 340 in any stack of the evidence"
	Facts   []string `json:"facts,omitempty"` // by which
}

// An OpinionProof is what a proof says of an opinion's change.
type OpinionProof struct {
	Taken   time.Time `json:"taken"`
	Verdict Verdict   `json:"verdict"`
	Summary string    `json:"summary"`
}

// Proved reports whether measuring showed that its change makes things better.
func (o *Opinion) Proved() bool { return o.Proof != nil && o.Proof.Verdict == Better }

// What opinions may take of a case, all together: half of what a reader accepts, so that a diagnosis and a proof have
// room beside them.
const (
	MaxOpinions      = 50
	maxOpinionBytes  = maxCaseBytes / 2
	maxOpinionCommas = maxCaseCommas / 2
)

// AddOpinion puts an opinion into the case and returns its ID: O and the next number that none has. What its author has
// said before in the same words stays one opinion, which gets the new check.
func (c *Case) AddOpinion(o Opinion) (id string, err error) {
	for i := range c.Opinions {
		if old := &c.Opinions[i]; old.says() == o.says() {
			old.Verdict, old.Reasons = o.Verdict, o.Reasons
			return old.ID, nil
		}
	}
	if len(c.Opinions) >= MaxOpinions {
		return "", fmt.Errorf("the case has %d opinions already, the limit", len(c.Opinions))
	}
	n := len(c.Opinions) + 1
	for o.ID = opinionID(n); c.Opinion(o.ID) != nil; o.ID = opinionID(n) {
		n++
	}
	all := append(c.Opinions[:len(c.Opinions):len(c.Opinions)], o)
	data, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	if len(data) > maxOpinionBytes || bytes.Count(data, []byte{','}) > maxOpinionCommas {
		return "", fmt.Errorf("with it the opinions of the case have %d bytes, the limits are %d bytes and %d commas: "+
			"give the change in words, without the diff", len(data), maxOpinionBytes, maxOpinionCommas)
	}
	c.Opinions = all
	return o.ID, nil
}

// says is what an author said, without what was found out about it.
func (o *Opinion) says() string {
	said := *o
	said.ID, said.Given, said.Verdict, said.Reasons, said.Proof = "", time.Time{}, "", nil, nil
	fill(&said.Where)
	data, err := json.Marshal(said)
	if err != nil {
		return "" // not a number: it cannot be added either
	}
	return string(data)
}

func opinionID(n int) string { return fmt.Sprintf("O%d", n) }

// Opinion is the one of this ID, to be read or changed; nil where the case has none of it.
func (c *Case) Opinion(id string) *Opinion {
	for i := range c.Opinions {
		if id != "" && c.Opinions[i].ID == id {
			return &c.Opinions[i]
		}
	}
	return nil
}

// AddProof puts a proof into the case. One of an opinion's change is that opinion's. It is the case's only if it is
// better and at the place of a finding, whose cure it then is: what somebody tried and did not help says nothing of the
// remedies of the findings.
func (c *Case) AddProof(p *Proof) {
	if p.Opinion != "" {
		if o := c.Opinion(p.Opinion); o != nil {
			o.Proof = &OpinionProof{Taken: p.Taken, Verdict: p.Verdict, Summary: p.Summary}
		}
		if p.Verdict != Better || p.Finding == nil {
			return
		}
	}
	c.Proof = p
}
