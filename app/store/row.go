package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gocasebook/casebook/app/closing"
	"github.com/gocasebook/casebook/casefile"
)

// A row is a case as the index has it.
type row struct {
	id        string
	record    []byte // case.json
	recordSum string // its SHA-256
	// receivedSum is that of the case.json that the sender sent
	receivedSum string
	opened      time.Time
	received    time.Time
	summary     Summary
	text        string // what a search looks through, in lower case
	labels      map[string]string
	findings    []casefile.Finding
	proof       *casefile.Proof // says which of them are closed
	worstOpen   int             // the highest score of those that are not
	evidence    []casefile.Evidence
	stamps      []int64 // of the evidence's blobs
	// undiagnosed says that no detector has seen it: its sender keeps cases and does no more
	undiagnosed bool
	// annotate says that it is to be shown in Grafana
	annotate bool
	ask      bool // an agent is to be asked about it
}

// A Summary is what a list shows of a case.
type Summary struct {
	ID       string    `json:"id"`
	Opened   time.Time `json:"opened"`
	Received time.Time `json:"received"`
	Service  string    `json:"service"`
	Version  string    `json:"version,omitempty"`
	Rule     string    `json:"rule"`
	Text     string    `json:"text"`              // of the trigger
	Findings int       `json:"findings"`          // how many
	Kind     string    `json:"kind,omitempty"`    // of the first finding
	Title    string    `json:"title,omitempty"`   // of the first finding
	Score    int       `json:"score"`             // of the first finding
	Worst    int       `json:"worst"`             // the highest of all findings
	Verdict  string    `json:"verdict,omitempty"` // the diagnosis in a sentence
	Proof    string    `json:"proof,omitempty"`   // better, worse, …
	Bytes    int64     `json:"bytes"`             // of all evidence
	Pinned   bool      `json:"pinned,omitempty"`  // stays whatever the limits
}

const maxText = 500 // bytes of a text in a list

// leftOut reports what a watch says in the place of a diagnosis that was built with the tag casebook_nodiagnose.
func leftOut(u []casefile.Undecided) bool {
	return len(u) == 1 && u[0].ID == "" && u[0].Kind == "every kind"
}

func newRow(c *casefile.Case, record []byte, now time.Time) *row {
	sum := sha256.Sum256(record)
	digest := hex.EncodeToString(sum[:])
	r := &row{id: c.ID, record: record, recordSum: digest, receivedSum: digest,
		opened: c.Opened.UTC(), received: now.UTC(), labels: searchable(&c.Target),
		findings: c.Findings, proof: c.Proof, worstOpen: closing.Worst(c), evidence: c.Evidence, summary: summarize(c)}
	r.summary.Received = r.received
	r.undiagnosed = len(c.Findings) == 0 && c.Picture == nil && (len(c.Undecided) == 0 || leftOut(c.Undecided))
	s := &r.summary
	words := []string{s.ID, s.Service, s.Version, s.Rule, s.Text, s.Verdict}
	for i := range c.Findings {
		f := &c.Findings[i]
		words = append(words, cut(f.Kind), cut(f.Title))
		for _, w := range f.Where[:min(len(f.Where), 3)] {
			words = append(words, cut(w.Function))
		}
	}
	r.text = strings.ToLower(strings.Join(words, "\n"))
	return r
}

// searchable are the labels of a case's target, and its attributes under OpenTelemetry's names.
func searchable(t *casefile.Target) map[string]string {
	of := *t
	of.NameResource()
	out := maps.Clone(of.Resource)
	if out == nil {
		return t.Labels
	}
	maps.Copy(out, t.Labels)
	return out
}

// fits refuses what is a case, and could not be shown or kept: a score that a column does not hold, a time that JSON does
// not. One such row would break every list that it is in.
func fits(c *casefile.Case) error {
	if _, err := c.Opened.UTC().MarshalJSON(); err != nil {
		return fmt.Errorf("%w: the time when it was opened: %w", ErrInvalid, err)
	}
	for i := range c.Findings {
		if score := c.Findings[i].Score; score < 0 || score > 100 {
			return fmt.Errorf("%w: finding %d has the score %d, which goes from 0 to 100", ErrInvalid, i+1, score)
		}
	}
	return nil
}

// Summarize is what a list shows of a case. When it was received is for the keeper of the list to say.
func Summarize(c *casefile.Case) Summary { return summarize(c) }

func summarize(c *casefile.Case) Summary {
	s := Summary{ID: c.ID, Opened: c.Opened.UTC(), Service: cut(c.Target.Name), Version: cut(version(c.Target.Build)),
		Rule: cut(c.Trigger.Rule), Text: cut(c.Trigger.Text), Findings: len(c.Findings)}
	if c.Verdict != nil {
		s.Verdict = cut(c.Verdict.Text)
	}
	if c.Proof != nil {
		s.Proof = cut(string(c.Proof.Verdict))
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		if i == 0 {
			s.Kind, s.Title, s.Score = cut(f.Kind), cut(f.Title), f.Score
		}
		s.Worst = max(s.Worst, f.Score)
	}
	for i := range c.Evidence {
		s.Bytes += c.Evidence[i].Bytes
	}
	return s
}

// version is the release of a service: the module's version, otherwise the revision.
func version(b casefile.Build) string {
	if b.Version != "" && b.Version != "(devel)" {
		return b.Version
	}
	return b.Revision
}

// cut shortens a text to maxText bytes, between two characters, and leaves out what no database takes as text.
func cut(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "�")
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
