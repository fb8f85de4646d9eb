package engines

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/pprof/profile"
	googlev1 "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/push/v1/pushv1connect"
	querierv1 "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/querier/v1/querierv1connect"
	typesv1 "github.com/grafana/pyroscope/api/gen/proto/go/types/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/vitals"
)

const (
	tenant    = "team-a"
	typeCPU   = "process_cpu:cpu:nanoseconds:cpu:nanoseconds"
	selector  = `{service_name="shop"}`
	cpuOfStep = 15e9 // nanoseconds in each step of 30 s: half a core
)

// A server is one service in Pyroscope's protocol, and what it was asked for.
type server struct {
	querierv1connect.UnimplementedQuerierServiceHandler
	pushv1connect.UnimplementedPusherServiceHandler

	mu     sync.Mutex // guards what follows
	wrong  []string
	merged *querierv1.SelectMergeProfileRequest
	series *querierv1.SelectSeriesRequest
	pushed *pushv1.PushRequest
}

// strict is JSON that refuses fields which a message does not have. Connect's own ignores them.
type strict struct{}

func (strict) Name() string                  { return "json" }
func (strict) Marshal(m any) ([]byte, error) { return protojson.Marshal(m.(proto.Message)) }
func (strict) Unmarshal(data []byte, into any) error {
	return protojson.Unmarshal(data, into.(proto.Message))
}

// heard notes a request that names fields which the message does not have, or another tenant.
func (s *server) heard(m proto.Message, header http.Header) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(m.ProtoReflect().GetUnknown()) > 0 {
		s.wrong = append(s.wrong, string(m.ProtoReflect().Descriptor().Name())+" has unknown fields")
	}
	if header.Get("X-Scope-OrgID") != tenant {
		s.wrong = append(s.wrong, "another tenant is asked for")
	}
}

func (s *server) ProfileTypes(_ context.Context, r *connect.Request[querierv1.ProfileTypesRequest],
) (*connect.Response[querierv1.ProfileTypesResponse], error) {
	s.heard(r.Msg, r.Header())
	return connect.NewResponse(&querierv1.ProfileTypesResponse{ProfileTypes: []*typesv1.ProfileType{{ID: typeCPU,
		Name: "process_cpu", SampleType: "cpu", SampleUnit: "nanoseconds", PeriodType: "cpu",
		PeriodUnit: "nanoseconds"}}}), nil
}

func (s *server) LabelValues(_ context.Context, r *connect.Request[typesv1.LabelValuesRequest],
) (*connect.Response[typesv1.LabelValuesResponse], error) {
	s.heard(r.Msg, r.Header())
	values := map[string][]string{"service_name": {"cart", "shop"}, "pod": {"shop-0", "shop-1"}}[r.Msg.Name]
	if len(r.Msg.Matchers) > 0 && r.Msg.Matchers[0] != selector {
		values = nil
	}
	return connect.NewResponse(&typesv1.LabelValuesResponse{Names: values}), nil
}

func (s *server) SelectMergeProfile(_ context.Context, r *connect.Request[querierv1.SelectMergeProfileRequest],
) (*connect.Response[googlev1.Profile], error) {
	s.heard(r.Msg, r.Header())
	s.mu.Lock()
	s.merged = r.Msg
	s.mu.Unlock()
	return connect.NewResponse(&googlev1.Profile{
		StringTable: []string{"", "cpu", "nanoseconds", "main.work", "main.go"},
		SampleType:  []*googlev1.ValueType{{Type: 1, Unit: 2}},
		PeriodType:  &googlev1.ValueType{Type: 1, Unit: 2}, Period: 10_000_000,
		Function: []*googlev1.Function{{Id: 1, Name: 3, Filename: 4}},
		Location: []*googlev1.Location{{Id: 1, Line: []*googlev1.Line{{FunctionId: 1, Line: 7}}}},
		Sample:   []*googlev1.Sample{{LocationId: []uint64{1}, Value: []int64{60e9}}},
	}), nil
}

func (s *server) SelectSeries(_ context.Context, r *connect.Request[querierv1.SelectSeriesRequest],
) (*connect.Response[querierv1.SelectSeriesResponse], error) {
	s.heard(r.Msg, r.Header())
	s.mu.Lock()
	s.series = r.Msg
	s.mu.Unlock()
	one := &typesv1.Series{}
	for at := r.Msg.Start; at <= r.Msg.End; at += int64(r.Msg.Step * 1000) {
		one.Points = append(one.Points, &typesv1.Point{Timestamp: at, Value: cpuOfStep})
	}
	return connect.NewResponse(&querierv1.SelectSeriesResponse{Series: []*typesv1.Series{one}}), nil
}

func (s *server) Push(_ context.Context, r *connect.Request[pushv1.PushRequest],
) (*connect.Response[pushv1.PushResponse], error) {
	s.heard(r.Msg, r.Header())
	s.mu.Lock()
	s.pushed = r.Msg
	s.mu.Unlock()
	return connect.NewResponse(&pushv1.PushResponse{}), nil
}

// start serves the two services as Pyroscope does.
func start(t *testing.T) (s *server, address string) {
	t.Helper()
	s = &server{}
	mux := http.NewServeMux()
	mux.Handle(querierv1connect.NewQuerierServiceHandler(s, connect.WithCodec(strict{})))
	mux.Handle(pushv1connect.NewPusherServiceHandler(s, connect.WithCodec(strict{})))
	web := httptest.NewServer(mux)
	t.Cleanup(func() {
		web.Close()
		if len(s.wrong) > 0 {
			t.Errorf("requests that Pyroscope's messages do not have: %q", slices.Compact(s.wrong))
		}
	})
	return s, "pyroscope://" + strings.TrimPrefix(web.URL, "http://")
}

// What is asked for arrives in Pyroscope's messages, and what they answer is evidence.
func TestAsks(t *testing.T) {
	s, address := start(t)
	target, err := engine.New(address+"?service=shop&since=2m&nodes=1000&tenant="+tenant, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := target.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	got, err := target.Capture(t.Context(), casefile.CPU, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(got.Data)
	if err != nil {
		t.Fatal(err)
	}
	if f := p.Sample[0].Location[0].Line[0]; f.Function.Name != "main.work" || f.Line != 7 || p.Sample[0].Value[1] != 30e9 {
		t.Errorf("the profile has %v at %v; want half of 60 s, of one of two instances, in main.work:7", p.Sample[0].Value, f)
	}
	m := s.merged
	if m.ProfileTypeID != typeCPU || m.LabelSelector != selector || m.GetMaxNodes() != 1000 || m.End-m.Start != 120_000 ||
		m.End < began.UnixMilli() || m.End > time.Now().UnixMilli() {
		t.Errorf("asked for %v; want two minutes until now of the shop's CPU in 1000 nodes", m)
	}
	past, err := target.Past(t.Context(), time.Now().Add(-5*time.Minute))
	if err != nil || len(past) == 0 {
		t.Fatalf("no past: %v", err)
	}
	for i := range past {
		if v, ok := past[i].Get(vitals.CPU); !ok || v != 0.25 {
			t.Errorf("an instance used %v cores, want a quarter", v)
		}
	}
	r := s.series
	if r.ProfileTypeID != typeCPU || r.LabelSelector != selector || r.Step != 30 ||
		r.GetAggregation() != typesv1.TimeSeriesAggregationType_TIME_SERIES_AGGREGATION_TYPE_SUM {
		t.Errorf("asked for the series %v", r)
	}
}

// A case's profiles arrive in Pyroscope's message.
func TestPushes(t *testing.T) {
	s, address := start(t)
	r, err := engine.Push(address+"?tenant="+tenant, instance.HTTPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	cpu := &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}
	p := &profile.Profile{SampleType: []*profile.ValueType{cpu}, PeriodType: cpu, Period: 1, TimeNanos: 1,
		DurationNanos: 1}
	var data bytes.Buffer
	if err := p.Write(&data); err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	w, err := casefile.Dir(t.TempDir()).Create(casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "any"),
		Opened: at, Target: casefile.Target{Name: "shop"}, Trigger: casefile.Trigger{Rule: "any", Time: at}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(casefile.Evidence{Kind: casefile.CPU, File: "cpu.pb.gz", Phase: casefile.During, Seconds: 1,
		Taken: at}, data.Bytes()); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Send(t.Context(), reporter.Report{Case: f.Case, Folder: f.Path}); err != nil {
		t.Fatal(err)
	}
	if len(s.pushed.GetSeries()) != 1 || len(s.pushed.Series[0].Samples) != 1 {
		t.Fatalf("pushed is %v, want one profile", s.pushed)
	}
	if _, err := profile.ParseData(s.pushed.Series[0].Samples[0].RawProfile); err != nil {
		t.Errorf("what was pushed is no profile: %v", err)
	}
	labels := make(map[string]string)
	for _, l := range s.pushed.Series[0].Labels {
		labels[l.Name] = l.Value
	}
	if labels["__name__"] != "process_cpu" || labels["service_name"] != "shop" || labels["casebook_case"] != f.Case.ID {
		t.Errorf("pushed with the labels %v", labels)
	}
}
