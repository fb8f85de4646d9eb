package engine

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/reporter"
)

// newCase is a case with evidence that nats-slow was recorded with.
func newCase(t *testing.T, at time.Time) reporter.Report {
	t.Helper()
	c := casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "gc-cpu"), Opened: at,
		Target: casefile.Target{Name: "nats", Build: casefile.Build{Version: "v2.10.1"},
			Labels: map[string]string{"zone": "eu-1", "pod": "nats-7", "strange name!": "x", "__secret__": "y"}},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Time: at}}
	w, err := casefile.Dir(t.TempDir()).Create(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []casefile.Evidence{
		{Kind: casefile.CPU, File: "cpu.pb.gz", Phase: casefile.During, Seconds: 10},
		{Kind: casefile.Heap, File: "heap.pb.gz", Phase: casefile.During},
		{Kind: casefile.Heap, File: "heap-after.pb.gz", Phase: casefile.After},
		{Kind: casefile.Goroutine, File: "goroutine.pb.gz", Phase: casefile.During},
		{Kind: casefile.ThreadCreate, File: "threadcreate.pb.gz", Phase: casefile.During},
		{Kind: casefile.Vitals, File: "vitals-before.jsonl", Phase: casefile.Before, Seconds: 60},
	} {
		e.Taken = at
		if err := w.Add(e, checkout.File(t, "foreign/nats-slow/"+e.File)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return reporter.Report{Case: f.Case, Folder: f.Path}
}

// The profiles of a case arrive under OpenTelemetry's names and with the case's ID, without allocations since the start
// of the process. What was pushed can be asked for as any other service.
func TestPush(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			s := e.start(t)
			r, err := Push(e.name+"://"+s.Host+"?label=team=orders&tenant=a", instance.HTTPOptions{})
			if err != nil {
				t.Fatal(err)
			}
			report := newCase(t, time.Now())
			if err := r.Send(t.Context(), report); err != nil {
				t.Fatal(err)
			}
			if n := len(s.Asked()); n != 1 {
				t.Errorf("a case took %d requests, want one", n)
			}
			names := map[string]int{}
			for _, l := range s.Labels() {
				names[l["__name__"]]++
				for name, want := range map[string]string{"service_name": "nats", "service_version": "v2.10.1",
					"k8s_pod_name": "nats-7", "zone": "eu-1", "team": "orders", "casebook_case": report.Case.ID,
					"strange_name_": "x", "__secret__": ""} {
					if l[name] != want {
						t.Errorf("the label %s is %q, want %q", name, l[name], want)
					}
				}
			}
			if names["process_cpu"] != 1 || names["memory"] != 2 || names["goroutines"] != 1 || len(names) != 3 {
				t.Errorf("pushed were %v; want the CPU, two heaps, the goroutines", names)
			}
			w := window{time.Unix(0, 0), time.Now().Add(time.Hour)}
			types, err := newTarget(t, e.name, s, "", Options{}).store.types(t.Context(), w)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range types {
				if strings.HasPrefix(v.typ, "alloc_") {
					t.Errorf("%s was pushed: it counts from the start of the process", v.id)
				}
			}
		})
	}
}

func TestPushFails(t *testing.T) {
	for _, e := range engines {
		s := e.start(t)
		r, err := Push(e.name+"://u:s3cret@"+s.Host, instance.HTTPOptions{})
		if err != nil {
			t.Fatal(err)
		}
		report := newCase(t, time.Now())
		for _, c := range []struct {
			code  int
			final bool
		}{{http.StatusBadRequest, true}, {http.StatusUnauthorized, true}, {http.StatusTooManyRequests, false},
			{http.StatusServiceUnavailable, false}} {
			s.Refuse = status(c.code, `{"code":"x","message":"no"}`)
			err := r.Send(t.Context(), report)
			var e *reporter.Error
			if err == nil || errors.As(err, &e) && e.Final != c.final || errors.As(err, &e) != c.final ||
				strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%d: %v (%T); final: want %v", c.code, err, err, c.final)
			}
		}
		if err := os.RemoveAll(report.Folder); err != nil {
			t.Fatal(err)
		}
		if err := r.Send(t.Context(), report); err == nil {
			t.Error("a case that is gone was pushed")
		}
	}
	for _, address := range []string{"prometheus://p:9090", "http://p:4040", "pyroscope://"} {
		if _, err := Push(address, instance.HTTPOptions{}); err == nil {
			t.Errorf("%s takes profiles", address)
		}
	}
}

func TestPrepared(t *testing.T) {
	p := enginetest.Recorded(t, "nats-slow", "cpu.pb.gz")
	p.TimeNanos, p.DurationNanos = 0, 0
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1_700_000_000, 0)
	data, err := prepared(b.Bytes(), casefile.Evidence{Kind: casefile.CPU, Taken: at, Seconds: 7})
	if err != nil {
		t.Fatal(err)
	}
	got := parsed(t, instance.Profile{Data: data})
	if got.TimeNanos != at.UnixNano() || got.DurationNanos != int64(7*time.Second) {
		t.Errorf("a profile without a time is of %d for %d ns", got.TimeNanos, got.DurationNanos)
	}
}
