package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/moment"
	"github.com/gocasebook/casebook/reporter"
)

// Labels of what is pushed, after OpenTelemetry's names of resources (opentelemetry.io/docs/specs/semconv/resource)
// with underscores, as Pyroscope and Parca write them. casebook_case leads from a profile to its case.
const (
	profileName  = "__name__"
	labelService = "service_name"
	labelVersion = "service_version"
	labelCase    = "casebook_case"
	labelPhase   = "casebook_phase"
)

// pushed are the kinds of evidence that engines keep, under the names that their own clients give them.
var pushed = map[string]string{
	casefile.CPU: "process_cpu", casefile.Heap: "memory", casefile.Allocs: "memory", casefile.Goroutine: "goroutines",
	casefile.Mutex: "mutex", casefile.Block: "block",
}

// pushBytes bounds the profiles of one request: Pyroscope takes 4 MiB each by default, and Parca 64 MiB a request.
const pushBytes = 32 << 20

// A pusher sends a case's profiles to an engine.
type pusher struct {
	*client
	address *Address
}

// Push returns a reporter that sends the profiles of each case to Pyroscope (push.v1) or Parca (WriteRaw). The address
// needs no service: its name is the target's. Labels in the address go with every profile.
func Push(address string, access instance.HTTPOptions) (reporter.Reporter, error) {
	a, err := parseAddress(address, false)
	if err != nil {
		return reporter.Reporter{}, err
	}
	if a.Engine == Prometheus {
		return reporter.Reporter{}, errors.New("an engine of metrics keeps no profiles; want a pyroscope:// or parca:// address")
	}
	c, err := newClient(a, access)
	if err != nil {
		return reporter.Reporter{}, err
	}
	p := &pusher{c, a}
	return reporter.Reporter{Name: "push to " + a.Engine, Send: p.send, Timeout: 2 * patience}, nil
}

// A series is one profile on its way.
type series struct {
	labels map[string]string
	data   []byte
}

// send pushes all profiles of a case in one request, so that a repeated try repeats none that arrived.
func (p *pusher) send(ctx context.Context, r reporter.Report) error {
	all, err := p.series(r)
	if err != nil || len(all) == 0 {
		return err
	}
	path, body := "/push.v1.PusherService/Push", any(toPyroscope(all))
	if p.address.Engine == Parca {
		path, body = gateway+"writeraw", toParca(all)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encoding the profiles: %w", err)
	}
	_, err = p.do(ctx, request{path: path, kind: typeJSON, body: text, most: maxJSON})
	var no *RefusedError
	if errors.As(err, &no) && no.Status >= 400 && no.Status < 500 && no.Status != http.StatusTooManyRequests {
		return &reporter.Error{Err: err, Final: true}
	}
	return err
}

func (p *pusher) series(r reporter.Report) (all []series, err error) {
	f, err := casefile.Open(r.Folder)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, e := range f.Case.Evidence {
		name, ok := pushed[e.Kind]
		if !ok || e.Seconds == 0 && !atMoment(e.Kind) { // since the start of the process: of no time at all
			continue
		}
		data, err := f.Read(e.File)
		if err == nil {
			data, err = prepared(data, e)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.File, err)
		}
		if size += len(data); size > pushBytes {
			return nil, fmt.Errorf("the profiles of case %s have more than %d MiB: read them in the case", f.Case.ID,
				pushBytes>>20)
		}
		all = append(all, series{p.labels(r, name, e.Phase), data})
	}
	return all, nil
}

// atMoment reports whether a kind of evidence is of a moment.
func atMoment(kind string) bool { return kind == casefile.Heap || kind == casefile.Goroutine }

// prepared leaves of a profile what is of its time, and says which time that is.
func prepared(data []byte, e casefile.Evidence) ([]byte, error) {
	got, err := profile.ParseData(data)
	if err != nil {
		return nil, err
	}
	if e.Kind == casefile.Heap {
		moment.Narrow(got)
	}
	if got.TimeNanos == 0 {
		got.TimeNanos = e.Taken.UnixNano()
	}
	if got.DurationNanos == 0 && !atMoment(e.Kind) {
		got.DurationNanos = int64(e.Seconds * float64(time.Second))
	}
	var b bytes.Buffer
	if err := got.Write(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

var notInLabel = regexp.MustCompile(`[^a-zA-Z0-9_]`)

// labels are those of one profile of a case. What the case says of itself wins over labels of its owner.
func (p *pusher) labels(r reporter.Report, name string, phase casefile.Phase) map[string]string {
	out := make(map[string]string)
	add := func(name, value string) {
		name = notInLabel.ReplaceAllString(name, "_")
		if labelName.MatchString(name) && !strings.HasPrefix(name, "__") && value != "" && len(value) <= maxValue {
			out[name] = value
		}
	}
	c := &r.Case
	labels := r.Labels
	if labels == nil {
		labels = c.Target.Labels
	}
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		add(name, labels[name])
	}
	for name, value := range p.address.Labels {
		add(name, value)
	}
	of := c.Target
	of.Labels = labels
	of.NameResource()
	for name, value := range of.Resource {
		add(name, value)
	}
	add(labelService, cmp.Or(r.Service, c.Target.Name))
	add(labelVersion, c.Target.Build.Version)
	add(labelCase, c.ID)
	add(labelPhase, string(phase))
	out[profileName] = name
	return out
}

// A label is one as both engines' JSON has it.
type label struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func listOf(labels map[string]string) (list []label) {
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		list = append(list, label{name, labels[name]})
	}
	return list
}

// A sample is one profile as both engines' JSON has it: []byte is base64.
type sample struct {
	RawProfile []byte `json:"rawProfile"`
}

// toPyroscope is push.v1.PushRequest (grafana/pyroscope, api/push/v1/push.proto).
func toPyroscope(all []series) any {
	type one struct {
		Labels  []label  `json:"labels"`
		Samples []sample `json:"samples"`
	}
	var out struct {
		Series []one `json:"series"`
	}
	for _, s := range all {
		out.Series = append(out.Series, one{listOf(s.labels), []sample{{s.data}}})
	}
	return out
}

// toParca is parca.profilestore.v1alpha1.WriteRawRequest (parca-dev/parca, proto/parca/profilestore/v1alpha1).
func toParca(all []series) any {
	type set struct {
		Labels []label `json:"labels"`
	}
	type one struct {
		Labels  set      `json:"labels"`
		Samples []sample `json:"samples"`
	}
	var out struct {
		Series []one `json:"series"`
	}
	for _, s := range all {
		out.Series = append(out.Series, one{set{listOf(s.labels)}, []sample{{s.data}}})
	}
	return out
}
