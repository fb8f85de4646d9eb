package reporter

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/words"
)

// MessageSchema is the version of Message. It grows only when an old reader would misread a new message; added fields
// do not change it.
const MessageSchema = 1

// A Message is a case in a few kilobytes, as Webhook and File write it in JSON. Texts are of one line; those too long
// are cut and end in "…". Times are UTC, shares are from 0 to 1. Units are those of package vitals.
type Message struct {
	Schema  int               `json:"schema"` // MessageSchema
	ID      string            `json:"id"`     // the case's
	Service string            `json:"service"`
	Labels  map[string]string `json:"labels,omitempty"` // 50 at most
	Host    string            `json:"host,omitempty"`   // the machine or container that took the case
	Opened  time.Time         `json:"opened"`
	Closed  time.Time         `json:"closed,omitzero"`

	Rule   string   `json:"rule"`             // that tripped; "manual" for a person
	Text   string   `json:"text"`             // why: "gc_cpu was 31 %, above 25 % for 5s"
	Signal string   `json:"signal,omitempty"` // the first of the rule's condition
	Value  float64  `json:"value,omitempty"`  // of that signal
	Unit   string   `json:"unit,omitempty"`   // of that value
	Also   []string `json:"also,omitempty"`   // rules that tripped while the case was being taken; 20 at most

	Target   Process   `json:"target"`
	Findings []Finding `json:"findings"`          // the worst first; 10 at most
	Verdict  string    `json:"verdict,omitempty"` // the diagnosis in a sentence
	Known    string    `json:"known,omitempty"`   // what is known of the signals of the rule, and where in the program
	Evidence int       `json:"evidence"`          // how many artefacts were taken
	Missing  int       `json:"missing"`           // how many more were wanted

	Folder string `json:"folder"` // the case's, on that host
	// the command that shows the case there; empty, like Folder, of a case that could not be written
	Open string `json:"open"`
}

// A Process is the target of a Message. What is not known is left out.
type Process struct {
	Name      string `json:"name"`
	URL       string `json:"url,omitempty"` // without userinfo and query; none for a process that watches itself
	PID       int    `json:"pid,omitempty"`
	Version   string `json:"version,omitempty"`
	GoVersion string `json:"go_version,omitempty"`
}

// A Finding is one thing that is wrong.
type Finding struct {
	ID         string  `json:"id"` // "GC003", stable forever
	Title      string  `json:"title"`
	Severity   string  `json:"severity,omitempty"` // "notice", "warning" or "critical"
	Score      int     `json:"score"`              // 0–100
	Confidence float64 `json:"confidence"`         // 0–1
	Summary    string  `json:"summary"`
	Where      string  `json:"where,omitempty"`  // the place to change: "main.load (cache.go:42)"
	Remedy     string  `json:"remedy,omitempty"` // the first to try: what, and how in a sentence
}

// Bounds of a Message, so that its JSON stays below 128 KiB, in any script.
const (
	maxLabels   = 50
	maxAlso     = 20
	maxFindings = 10
	maxWord     = 100 // characters of a name, a label, a version
	maxSentence = 300 // characters of a text
	maxPath     = 500 // characters of a path
)

// NewMessage is the message for a report.
func NewMessage(r Report) Message {
	c := &r.Case
	host, _ := os.Hostname() // without one the message goes without it
	m := Message{
		Schema: MessageSchema, ID: plain(c.ID, maxWord), Service: plain(r.service(), maxWord),
		Labels: labels(r.labels()),
		Host:   plain(host, maxWord), Opened: c.Opened.UTC(), Closed: c.Closed,
		Rule: plain(c.Trigger.Rule, maxWord), Text: plain(c.Trigger.Text, maxSentence),
		Signal: plain(c.Trigger.Signal, maxWord),
		Value:  finite(c.Trigger.Value), Unit: plain(c.Trigger.Unit, maxWord), Target: process(&c.Target),
		Findings: findings(c.Findings), Evidence: len(c.Evidence), Missing: len(c.Missing),
		Folder: plain(r.Folder, maxPath), Open: "casebook case show " + quote(plain(r.Folder, maxPath)),
	}
	if r.Folder == "" {
		m.Open = ""
	}
	if !m.Closed.IsZero() {
		m.Closed = m.Closed.UTC()
	}
	if c.Verdict != nil {
		m.Verdict = plain(c.Verdict.Text, maxSentence)
	}
	if c.Picture != nil && len(c.Picture.Tripped) > 0 {
		m.Known = plain(c.Picture.Tripped[0].Text, maxSentence)
	}
	for i := range c.Also[:min(len(c.Also), maxAlso)] {
		m.Also = append(m.Also, plain(c.Also[i].Rule, maxWord))
	}
	return m
}

// labels bounds the owner's labels. Of too many it keeps the first by name, so that it is always the same ones.
func labels(in map[string]string) map[string]string {
	if len(in) == 0 {
		return nil
	}
	out := map[string]string{}
	for _, name := range sortedKeys(in)[:min(len(in), maxLabels)] {
		out[plain(name, maxWord)] = plain(in[name], maxWord)
	}
	return out
}

func process(t *casefile.Target) Process {
	return Process{
		Name: plain(t.Name, maxWord), URL: plain(withoutSecrets(t.URL), maxPath), PID: t.PID,
		Version: plain(t.Build.Version, maxWord), GoVersion: plain(t.Build.GoVersion, maxWord),
	}
}

// findings puts the worst first: of those that no other finding explains the one with the highest score, then the
// rest in the case's order.
func findings(in []casefile.Finding) []Finding {
	out := make([]Finding, 0, min(len(in), maxFindings))
	worst := worstOf(in)
	if worst >= 0 {
		out = append(out, finding(&in[worst]))
	}
	for i := range in {
		if i != worst && len(out) < maxFindings {
			out = append(out, finding(&in[i]))
		}
	}
	return out
}

// worstOf is the index of the worst finding, -1 without findings.
func worstOf(in []casefile.Finding) int {
	worst := -1
	for i := range in {
		switch {
		case worst < 0:
			worst = i
		case (len(in[i].CausedBy) == 0) != (len(in[worst].CausedBy) == 0):
			if len(in[i].CausedBy) == 0 {
				worst = i
			}
		case in[i].Score > in[worst].Score:
			worst = i
		}
	}
	return worst
}

func finding(f *casefile.Finding) Finding {
	out := Finding{
		ID: plain(f.ID, maxWord), Title: plain(f.Title, maxSentence), Severity: f.Severity(), Score: f.Score,
		Confidence: finite(f.Confidence), Summary: plain(f.Summary, maxSentence),
	}
	if len(f.Where) > 0 {
		out.Where = plain(words.Place(f.Where[0]), maxSentence)
	}
	if len(f.Remedies) > 0 {
		out.Remedy = plain(remedyText(&f.Remedies[0]), maxSentence)
	}
	return out
}

// finite is v, or 0 where JSON has no number for it.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// encode is the message in JSON without a line end. Unlike json.Marshal it leaves <, > and & as they are: nobody reads
// it as HTML.
func (m Message) encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(m)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// plain makes text of one line that is safe to log: control characters and line ends become single spaces, invalid
// UTF-8 becomes U+FFFD, and more than limit characters are cut.
func plain(text string, limit int) string {
	if most := 4*limit + 64; len(text) > most { // a character has at most 4 bytes; the rest would be cut anyway
		text = text[:most]
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return clip(strings.Join(strings.Fields(text), " "), limit)
}

// remedyText is a remedy's title, and the first sentence behind it where all of it has room: half of one misleads.
func remedyText(r *casefile.Remedy) string {
	how := r.Title + ". " + words.Sentences(r.Text)[0]
	if r.Text == "" || utf8.RuneCountInString(how) > maxSentence {
		return r.Title
	}
	return how
}

// clip cuts text to limit characters, the last of which then says so.
func clip(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	n := 0
	for i := range text {
		if n++; n == limit {
			return text[:i] + "…"
		}
	}
	return text
}

// quote makes text one word for a POSIX shell, as it is where that needs no quotes.
func quote(text string) string {
	safe := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			strings.ContainsRune("/._-+=:,@", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !safe(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
