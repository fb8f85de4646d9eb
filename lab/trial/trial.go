// Package trial has services that fall ill under load, and healthy ones, with what is to be found in each.
//
// The problem: rules and detectors that were written beside their test programs find what their author had in mind. A
// service in production was written by somebody else.
//
// The approach: each service is a program of its own below this folder, written as a team would write it at work, by
// somebody who had not seen the rules or the detectors. The lines of a fault are marked "// trial:fault". trial.json
// says of each service, written down before anything was watched, what is ill, when a person with a chart would be
// certain of it and why, where the fault lies, which remedy an expert would name and which remedies would be wrong.
// Load comes from outside; most faults begin to hurt because the load, the data or a service behind changes, as they do
// in life.
//
// The limits: the services run for minutes on a small machine, so what takes days in life is faster here. They are
// stopped with the trial, whatever state they are in.
package trial

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

//go:embed trial.json
var table []byte

// Marker marks the lines of a fault in the source.
const Marker = "// trial:fault"

// A Service is one program, its load, and what is to be found in it.
type Service struct {
	Name    string   `json:"name"` // of its folder
	About   string   `json:"about"`
	Healthy bool     `json:"healthy"` // nothing is to be found
	Env     []string `json:"env"`     // NAME=value
	Backend Backend  `json:"backend"`
	Load    []Load   `json:"load"`
	Restart Duration `json:"restart"` // when it is stopped and started anew; 0: never
	Busy    bool     `json:"busy"`    // it uses about a core
	Run     Duration `json:"run"`     // how long it is watched at the most; 0: until a minute and a half after Certain

	// Of a sick one. Ill is when the illness begins, from the start of the service: what is said before is a false
	// alarm.
	Ill     Duration `json:"ill"`
	Certain Duration `json:"certain"` // when a person with a chart would be certain
	Why     string   `json:"certain_why"`
	// Places are the functions that a finding may name; AlsoPlaces are those that it may name with a certain remedy,
	// see Also.
	Places     []string `json:"places"`
	AlsoPlaces []string `json:"also_places"`
	Also       string   `json:"also"`
	Remedy     string   `json:"remedy"` // that an expert would name
	Wrong      []string `json:"wrong"`  // remedies that would not help, or would hide the fault
	// The answer in Casebook's words, decided from the public names of the kinds before the first run. The first
	// finding is of one of Kinds; one of its first two remedies says what Says matches, and the first does not say what
	// Never matches; empty: none is named. Without Kinds a rule must trip, and nothing be warned of: the service does much
	// of what it is for.
	Kinds []string `json:"kinds"`
	Says  string   `json:"says"`
	Never string   `json:"never"`
	// Rule is one that must trip, where the service is there to see whether it does; empty: any.
	Rule string `json:"rule"`
}

// Window is how long a service is watched at the most.
func (s *Service) Window() time.Duration {
	if s.Run > 0 {
		return time.Duration(s.Run)
	}
	return time.Duration(s.Certain) + 90*time.Second
}

// A Backend is how the services behind a service answer.
type Backend struct {
	Latency     Duration `json:"latency"` // 0: 5 ms
	Size        int      `json:"size"`    // bytes of an answer; 0: 400
	After       Duration `json:"after"`   // when it changes; 0: never
	ThenLatency Duration `json:"then_latency"`
	ThenFail    float64  `json:"then_fail"` // share of requests that fail then
}

// A Load is requests on a schedule.
type Load struct {
	Pace    string   `json:"pace"`    // of package load
	From    Duration `json:"from"`    // when it begins
	Timeout Duration `json:"timeout"` // of a request; 0: 10 s
	Targets []Target `json:"targets"`
}

// A Target is one kind of request. URL and Body are templates of package targets; a URL that begins with "grpc:" is a
// method.
type Target struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	Body   string `json:"body"`
	Type   string `json:"type"` // of the body; empty: JSON
	// Header are further headers; their values are templates, too.
	Header map[string]string `json:"header"`
	Pad    int               `json:"pad"` // bytes that stand for $PAD$ in the body
	// The body Repeat times with Join between, and put in Wrap: two halves, which are before and after "|" or the
	// middle.
	Repeat int    `json:"repeat"`
	Join   string `json:"join"`
	Wrap   string `json:"wrap"`
}

// text is the whole body.
func (t *Target) text() string {
	body := strings.ReplaceAll(t.Body, "$PAD$", strings.Repeat("abcdefgh", (t.Pad+7)/8)[:t.Pad])
	if t.Repeat == 0 {
		return body
	}
	before, after, ok := strings.Cut(t.Wrap, "|")
	if !ok {
		before, after = t.Wrap[:len(t.Wrap)/2], t.Wrap[len(t.Wrap)/2:]
	}
	return before + strings.TrimSuffix(strings.Repeat(body+t.Join, t.Repeat), t.Join) + after
}

// A Duration is written as Go writes it: "75s".
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// Services are all that there are, the sick first.
func Services() ([]Service, error) {
	dec := json.NewDecoder(strings.NewReader(string(table)))
	dec.DisallowUnknownFields()
	var all struct {
		Services []Service `json:"services"`
	}
	if err := dec.Decode(&all); err != nil {
		return nil, fmt.Errorf("reading trial.json: %w", err)
	}
	return all.Services, nil
}
