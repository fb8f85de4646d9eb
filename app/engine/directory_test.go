package engine

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/instance"
)

// spent is a CPU profile of some seconds in one function, as clients push it.
func spent(seconds float64, function string) *profile.Profile {
	f := &profile.Function{ID: 1, Name: function, Filename: "/src/main.go"}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 7}}}
	ns := int64(seconds * 1e9)
	return &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"},
		{Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period: 10_000_000, DurationNanos: 15e9, Function: []*profile.Function{f}, Location: []*profile.Location{at},
		Sample: []*profile.Sample{{Location: []*profile.Location{at}, Value: []int64{ns / 10_000_000, ns}}}}
}

var bothEngines = map[string]func(testing.TB) *enginetest.Server{Pyroscope: enginetest.NewPyroscope,
	Parca: enginetest.NewParca}

// A directory lists services, and says of each what all of its instances use, in which version, and whose it is; the
// profile is an average instance's.
func TestDirectory(t *testing.T) {
	for name, start := range bothEngines {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			for i := range 4 { // 120 s of CPU in 300 s, of two instances; the question ends at a whole second
				at := time.Now().Add(-5*time.Second - time.Duration(i)*time.Minute)
				for pod := range 2 {
					s.Add(map[string]string{"service_name": "shop", "pod": fmt.Sprint("shop-", pod), "service_version": "v7",
						"team": "checkout"}, "process_cpu", at, spent(15, "main.work"))
				}
			}
			s.Add(map[string]string{"service_name": "cart", "pod": "cart-0"}, "process_cpu",
				time.Now().Add(-time.Minute), spent(3, "main.add"))
			d, err := NewDirectory(name+"://"+s.Host, Options{})
			if err != nil {
				t.Fatal(err)
			}
			services, err := d.Services(t.Context())
			if err != nil || !slices.Equal(services, []string{"cart", "shop"}) {
				t.Fatalf("services %v, %v; want cart and shop", services, err)
			}
			u, err := d.Usage(t.Context(), "shop")
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(u.Cores-0.4) > 0.01 {
				t.Errorf("the shop uses %v cores, want 120 s in 300 s", u.Cores)
			}
			if !slices.Equal(u.Versions, []string{"v7"}) || !slices.Equal(u.Owners, []string{"checkout"}) {
				t.Errorf("versions %v, owners %v", u.Versions, u.Owners)
			}
			p, err := profile.ParseData(u.Profile.Data)
			if err != nil || len(p.Sample) != 1 {
				t.Fatalf("the profile: %v, %v", p, err)
			}
			if v := p.Sample[0].Value; v[0] != 6000 || v[1] != 60e9 {
				t.Errorf("an average instance has %v, want 6000 samples and 60 s", v)
			}
			asked := len(s.Asked())
			if _, err := d.Usage(t.Context(), "cart"); err != nil {
				t.Fatal(err)
			}
			if n := len(s.Asked()) - asked; n > 4 {
				t.Errorf("the second service took %d requests, want 4: what labels there are is known", n)
			}
			var none *instance.EmptyError
			if _, err := d.Usage(t.Context(), "nobody"); !errors.As(err, &none) {
				t.Errorf("a service without profiles: %v", err)
			}
		})
	}
}

func TestDirectoryRefuses(t *testing.T) {
	for address, want := range map[string]string{
		"prometheus://h": "an engine of metrics has no profiles",
		"pyroscope://h?until=2026-11-20T12:00:00Z": "leave until and version out",
		"pyroscope://h?servise=a":                  "did you mean service",
	} {
		if _, err := NewDirectory(address, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
	s := enginetest.NewPyroscope(t)
	d, err := NewDirectory("pyroscope://u:s3cret@"+s.Host, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Services(t.Context()); err == nil || !strings.Contains(err.Error(), "has no services") {
		t.Errorf("an engine without services: %v", err)
	}
	s.Refuse = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	if _, err := d.Usage(t.Context(), "shop"); err == nil || strings.Contains(err.Error()+d.String(), "s3cret") {
		t.Errorf("an engine that is away: %v", err)
	}
	one, err := NewDirectory("pyroscope://"+s.Host+"?service=shop", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if list, err := one.Services(t.Context()); err != nil || !slices.Equal(list, []string{"shop"}) {
		t.Errorf("an address with a service lists %v, %v", list, err)
	}
}
