package doctor_test

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/doctor"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/gocasebook/casebook/vitals"
)

func examine(t *testing.T, r doctor.Request) *doctor.Checkup {
	t.Helper()
	c, err := doctor.Examine(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func state(c *doctor.Checkup, kind string) doctor.State {
	for _, e := range c.Evidence {
		if e.Kind == kind {
			return e.State
		}
	}
	return ""
}

// advised returns the severity of the advice that has a text, "" if there is none.
func advised(c *doctor.Checkup, text string) string {
	for _, a := range c.Advice {
		if strings.Contains(a.Text+a.Change, text) {
			return a.Severity
		}
	}
	return ""
}

func wantStates(t *testing.T, c *doctor.Checkup, want map[string]doctor.State) {
	t.Helper()
	for kind, state := range want {
		if i := slices.IndexFunc(c.Evidence, func(e doctor.Evidence) bool { return e.Kind == kind }); i < 0 ||
			c.Evidence[i].State != state {
			t.Errorf("%s is not %s: %+v", kind, state, c.Evidence)
		}
	}
}

// A service as most are: everything but waits, on loopback.
func TestOrdinary(t *testing.T) {
	addr, _ := victimtest.Start(t, victim, "-traffic")
	c := examine(t, doctor.Request{URL: addr})
	wantStates(t, c, map[string]doctor.State{casefile.CPU: doctor.Available, casefile.Heap: doctor.Available,
		casefile.Goroutine: doctor.Available, casefile.GoroutineDump: doctor.Available, casefile.Trace: doctor.Available,
		casefile.Mutex: doctor.Off, casefile.Block: doctor.Unknown})
	if c.Target.PID == 0 || !slices.Contains(c.Signals.Present, vitals.CPU.Signal().Name) {
		t.Errorf("the process is not found: %+v, %+v", c.Target, c.Signals)
	}
	if c.Exposure.Scope != doctor.Loopback || !slices.Equal(c.Exposure.Open, []string{addr}) {
		t.Errorf("exposure %+v", c.Exposure)
	}
	if advised(c, "SetMutexProfileFraction(100)") == "" || advised(c, "SetBlockProfileRate") == "" || c.Warns() {
		t.Errorf("advice %+v", c.Advice)
	}
	w := c.Watching
	if w.Index <= 0 || w.MemStats <= 0 || w.Share <= 0 || w.Case.CPU <= 0 || w.Hour.CPU != 36*time.Second {
		t.Errorf("costs %+v", w)
	}
}

// Waits are recorded, the heap is not sampled, and there are too many goroutines to dump or, here, to profile cheaply.
func TestArmed(t *testing.T) {
	t.Setenv("GODEBUG", "memprofilerate=0")
	addr, _ := victimtest.Start(t, victim, "-contend", "-park", "200000")
	deadline := time.Now().Add(2 * time.Minute) // until they are parked
	for {
		c := examine(t, doctor.Request{URL: addr})
		// On a busy machine a second may pass in which nothing blocks for as long as the profile's rate asks.
		if state(c, casefile.Goroutine) == doctor.Expensive && state(c, casefile.Mutex) == doctor.Available &&
			state(c, casefile.Block) == doctor.Available {
			wantStates(t, c, map[string]doctor.State{casefile.GoroutineDump: doctor.Expensive})
			if advised(c, "MemProfileRate is 0") != casefile.Warning || !c.Warns() ||
				advised(c, "SetMutexProfileFraction") != "" {
				t.Errorf("advice %+v", c.Advice)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("evidence %+v", c.Evidence)
		}
	}
}

// handlers is net/http/pprof as a service mounts it.
func handlers() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// A part of net/http/pprof is not mounted, and the server refuses profiles of ten seconds for its WriteTimeout, as
// net/http/pprof did before it learned to extend the deadline.
func TestMountedInPart(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("seconds") == "10" {
			http.Error(w, "profile duration exceeds server's WriteTimeout", http.StatusBadRequest)
			return
		}
		pprof.Index(w, r)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	c := examine(t, doctor.Request{URL: s.URL})
	wantStates(t, c, map[string]doctor.State{casefile.CPU: doctor.Absent, casefile.Trace: doctor.Absent,
		casefile.Heap: doctor.Available})
	if advised(c, "Without cpu most diagnoses") != casefile.Warning || advised(c, "WriteTimeout") == "" {
		t.Errorf("advice %+v", c.Advice)
	}
}

// With credentials it is seen, and without them it is not.
func TestProtected(t *testing.T) {
	mux := handlers()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	defer s.Close()
	_, err := doctor.Examine(t.Context(), doctor.Request{URL: s.URL})
	var status *instance.StatusError
	if !errors.As(err, &status) || status.Status != http.StatusUnauthorized {
		t.Errorf("without credentials: %v", err)
	}
	header := http.Header{"Authorization": {"Bearer s3cret"}}
	c := examine(t, doctor.Request{URL: s.URL, Access: instance.HTTPOptions{Header: header}})
	if c.Exposure.Scope != doctor.Protected || len(c.Exposure.Open) > 0 {
		t.Errorf("exposure %+v", c.Exposure)
	}
}

// A service that listens on all addresses is asked under each of the machine's.
func TestOpenToTheNetwork(t *testing.T) {
	addrs, err := net.InterfaceAddrs()
	if err != nil || !slices.ContainsFunc(addrs, func(a net.Addr) bool {
		n, ok := a.(*net.IPNet)
		return ok && n.IP.IsGlobalUnicast()
	}) {
		t.Skip("this machine has no address but loopback")
	}
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(handlers())
	s.Listener.Close()
	s.Listener = l
	s.Start()
	defer s.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	c := examine(t, doctor.Request{URL: "127.0.0.1:" + port})
	if (c.Exposure.Scope != doctor.Private && c.Exposure.Scope != doctor.Public) || len(c.Exposure.Open) < 2 {
		t.Errorf("exposure %+v", c.Exposure)
	}
	if advised(c, "answers without credentials") == "" || advised(c, "127.0.0.1:"+port+",") != "" {
		t.Errorf("advice %+v", c.Advice)
	}
}

func TestSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(handlers())
	s.Listener.Close()
	s.Listener = l
	s.Start()
	defer s.Close()
	c := examine(t, doctor.Request{URL: "unix://" + path})
	if c.Exposure.Scope != doctor.Socket || !strings.HasPrefix(c.Exposure.Mode, "-rw") {
		t.Errorf("exposure %+v", c.Exposure)
	}
}

func TestNothingThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if _, err := doctor.Examine(t.Context(), doctor.Request{URL: l.Addr().String()}); err == nil {
		t.Error("no error where nothing listens")
	}
}
