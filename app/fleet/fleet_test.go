package fleet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/store"
	_ "github.com/gocasebook/casebook/app/store/drivers"
	"github.com/gocasebook/casebook/internal/leaktest"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/gocasebook/casebook/reporter"
)

var victim string // the program that is watched

func TestMain(m *testing.M) {
	os.Exit(leaktest.Check(runTests(m), "app/fleet.", "app/store.", "casebook.(*"))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "casebook-fleet-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if victim, err = victimtest.Build(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// patience is how long a busy machine may take for what takes a second.
const patience = 2 * time.Minute

// A list is what is to be watched, and can be changed.
type list struct {
	mu      sync.Mutex // guards what follows
	targets []casework.WatchTarget
	err     error
}

func (l *list) set(err error, targets ...casework.WatchTarget) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.targets, l.err = targets, err
}

func (l *list) get() ([]casework.WatchTarget, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.targets), l.err
}

// A running fleet watches what its list says.
type running struct {
	*Fleet
	*list
	store *store.Store
	stop  func()
}

func run(t *testing.T, change func(*Config), targets ...casework.WatchTarget) *running {
	t.Helper()
	dir := t.TempDir()
	st, err := store.Open(t.Context(), store.Config{Index: "sqlite:" + filepath.Join(dir, "index.db"),
		Blobs: filepath.Join(dir, "blobs"), Scratch: filepath.Join(dir, "scratch")})
	if err != nil {
		t.Fatal(err)
	}
	r := &running{list: &list{targets: targets}, store: st}
	cfg := Config{Targets: r.get, Store: st, Dir: filepath.Join(dir, "watch"), Refresh: 50 * time.Millisecond,
		Tool: "a test"}
	if change != nil {
		change(&cfg)
	}
	if r.Fleet, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.Run(ctx)
	}()
	r.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	t.Cleanup(func() {
		r.stop()
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func await(t *testing.T, what string, test func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !test(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s for %s", patience, what)
		}
	}
}

// target is a process to be watched, with the default rules.
func target(t *testing.T, args ...string) casework.WatchTarget {
	addr, _ := victimtest.Start(t, victim, args...)
	return at127("http://" + addr)
}

func at127(url string) casework.WatchTarget {
	return casework.WatchTarget{Target: casework.Target{URL: url}, Interval: 100 * time.Millisecond, Profile: time.Second}
}

// anyRule opens a case of any process that has goroutines.
const anyRule = `{"schema": 1, "rules": [{"name": "any", "warmup": "-1s", "cooldown": "1h",
  "when": {"signal": "goroutines", "above": 0}}]}`

// A rule that trips opens a case, which is in the store with its evidence and diagnosis.
func TestCasesAreStored(t *testing.T) {
	one := target(t)
	one.Service, one.Rules = "shop", filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(one.Rules, []byte(anyRule), 0o600); err != nil {
		t.Fatal(err)
	}
	r := run(t, nil, one)
	var page store.Page
	await(t, "a case in the store", func() bool {
		var err error
		page, err = r.store.List(t.Context(), store.Filter{Service: "shop"})
		return err == nil && len(page.Cases) > 0
	})
	c, err := r.store.Case(t.Context(), page.Cases[0].ID)
	if err != nil || c.Trigger.Rule != "any" || len(c.Evidence) < 5 || len(c.Findings)+len(c.Undecided) == 0 {
		t.Errorf("the case is %+v, %v", c, err)
	}
	st, ok := r.Status(r.Targets()[0].ID)
	if !ok || st.State != Watched || st.Service != "shop" || len(st.Rules) != 1 || st.Rules[0].Reason == "" {
		t.Errorf("the target is %+v", st)
	}
	if i := slices.IndexFunc(st.Vitals, func(v Vital) bool { return v.Name == "goroutines" && v.Value > 0 }); i < 0 {
		t.Errorf("the vitals are %+v", st.Vitals)
	}
}

// A case that a killed server had not stored yet is stored after the next start.
func TestCasesOfAKilledServer(t *testing.T) {
	one := target(t)
	one.Service, one.Rules = "shop", filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(one.Rules, []byte(anyRule), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	away := reporter.Reporter{Name: "store",
		Send: func(context.Context, reporter.Report) error { return errors.New("away") }}
	done, err := casework.Watch(t.Context(), casework.WatchRequest{Targets: []casework.WatchTarget{one}, Dir: dir,
		Once: true, Reporters: []reporter.Reporter{away}})
	if err != nil || len(done.Targets) != 1 {
		t.Fatalf("the watch before: %+v, %v", done, err)
	}
	one.Rules = ""
	r := run(t, func(c *Config) { c.Dir = dir }, one)
	await(t, "the case of the watch before", func() bool {
		page, err := r.store.List(t.Context(), store.Filter{Rule: "any"})
		return err == nil && len(page.Cases) == 1
	})
}

// The list is read again: what is new is watched, what is gone is not, and an error changes nothing.
func TestTargetsComeAndGo(t *testing.T) {
	a, b := target(t), target(t)
	r := run(t, nil, a)
	urls := func() string {
		var all []string
		for _, x := range r.Targets() {
			if x.State == Watched {
				all = append(all, x.URL)
			}
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	await(t, "the first target", func() bool { return urls() == shown(a) })
	r.set(nil, a, b, a)
	await(t, "both targets", func() bool { return len(strings.Fields(urls())) == 2 })
	l, ok := r.Listen(idOf(t, a))
	if !ok {
		t.Fatal("nobody can listen")
	}
	defer l.Close()
	r.set(errors.New("line 3: is torn"))
	await(t, "the problem", func() bool { return strings.Contains(r.Problem(), "is torn") })
	if len(strings.Fields(urls())) != 2 {
		t.Errorf("a list that cannot be read ended watches: %q are left", urls())
	}
	labelled := b
	labelled.Labels = map[string]string{"zone": "eu-1"}
	r.set(nil, labelled)
	await(t, "the second target alone, with its label", func() bool {
		x := r.Targets()
		return urls() == shown(b) && x[0].Labels["zone"] == "eu-1" && r.Problem() == ""
	})
	for open := true; open; { // what is not watched any more says so to whoever listens
		select {
		case _, open = <-l.C:
		case <-time.After(patience):
			t.Fatal("the listener of a target that is gone waits for ever")
		}
	}
	if _, ok := r.Status(idOf(t, a)); ok {
		t.Error("a target that is gone has a state")
	}
}

func idOf(t *testing.T, w casework.WatchTarget) string {
	t.Helper()
	id, _, err := newWish(w, w.URL)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// shown is an address as lists show it.
func shown(w casework.WatchTarget) string {
	_, wish, _ := newWish(w, w.URL)
	return wish.url
}

// A name stands for each of its addresses; a name without any stands for none, and one that fails for those it had.
func TestNames(t *testing.T) {
	one := target(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(one.URL, "http://"))
	named := at127("dns+http://localhost:" + port)
	r := run(t, nil, named)
	await(t, "the target behind localhost, by the system's resolver", func() bool {
		return slices.ContainsFunc(r.Targets(), func(x Target) bool {
			return x.URL == one.URL && x.Service == "localhost" && x.State == Watched
		})
	})
	var answer atomic.Value
	answer.Store(func() ([]netip.Addr, error) { return nil, nil })
	res := resolver{lookup: func(context.Context, string) ([]netip.Addr, error) {
		return answer.Load().(func() ([]netip.Addr, error))()
	}}
	for _, c := range []struct {
		addrs string
		err   error
		want  string
	}{
		{"10.0.0.2 10.0.0.1 ::ffff:10.0.0.1 fd00::1", nil,
			"http://10.0.0.1:6060/x http://10.0.0.2:6060/x http://[fd00::1]:6060/x"},
		{"", &net.DNSError{IsNotFound: true}, ""},
		{"", &net.DNSError{IsTimeout: true}, "error"},
	} {
		answer.Store(func() (list []netip.Addr, err error) {
			for _, a := range strings.Fields(c.addrs) {
				list = append(list, netip.MustParseAddr(a))
			}
			return list, c.err
		})
		found, err := res.expand(t.Context(), at127("dns+http://shop.internal:6060/x"))
		var got []string
		for _, f := range found {
			got = append(got, f.URL)
			if f.Service != "shop.internal" || f.Access.Header.Get("Host") != "shop.internal:6060" {
				t.Errorf("%s is of service %q, asked for as %q", f.URL, f.Service, f.Access.Header.Get("Host"))
			}
		}
		if err != nil {
			got = []string{"error"}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q, %v stand for %q, want %q", c.addrs, c.err, got, c.want)
		}
	}
	if _, err := res.expand(t.Context(), at127("dns+unix:///run/x")); err == nil {
		t.Error("a name of a socket was resolved")
	}
}

// No connection goes to an address that is not allowed: by number, by a name, by a redirect, or by another page.
func TestServerSideRequestForgery(t *testing.T) {
	var asked atomic.Int64
	secret := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "s3cret")
	}))
	secret.Config.ConnState = func(net.Conn, http.ConnState) { asked.Add(1) }
	secret.Start()
	defer secret.Close()
	away := httptest.NewServer(http.RedirectHandler(secret.URL+"/latest/meta-data/", http.StatusFound))
	defer away.Close()
	_, port, _ := net.SplitHostPort(secret.Listener.Addr().String())
	with := func(networks ...string) func(*Config) {
		return func(c *Config) {
			var err error
			if c.Networks, err = ParseNetworks(networks); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		change func(*Config)
		url    string
		want   string
	}{
		"an address":                    {with("10.0.0.0/8"), secret.URL, "not in the networks"},
		"a name that stands for it":     {with("10.0.0.0/8"), "http://localhost:" + port, "not in the networks"},
		"a name, resolved by us":        {with("10.0.0.0/8"), "dns+http://localhost:" + port, "not in the networks"},
		"an address written otherwise":  {with("10.0.0.0/8"), "http://[::ffff:127.0.0.1]:" + port, "not in the networks"},
		"a redirect":                    {with("any"), away.URL, "no other place is asked"},
		"the credentials of a cloud":    {with("any"), "http://169.254.169.254/latest/meta-data/", "is refused"},
		"the same, as an IPv4 in an v6": {with("any"), "http://[::ffff:169.254.169.254]/", "is refused"},
		"another scheme":                {with("any"), "file:///etc/passwd", "scheme"},
		"another protocol":              {with("any"), "gopher://127.0.0.1:" + port, "scheme"},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, c.change, at127(c.url))
			await(t, "the refusal", func() bool {
				list := r.Targets()
				return len(list) > 0 && list[0].State == Silent
			})
			if got := r.Targets()[0].Problem; !strings.Contains(got, c.want) || strings.Contains(got, "s3cret") {
				t.Errorf("the problem is %q, want %q in it", got, c.want)
			}
			if n := asked.Load(); n != 0 {
				t.Errorf("the other server got %d connections", n)
			}
		})
	}
}

// What an alert asks for becomes a case, once, with the alert's end in it.
func TestCaptures(t *testing.T) {
	one := target(t)
	r := run(t, nil, one)
	id := idOf(t, one)
	began := time.Now().Add(-time.Minute).UTC().Truncate(time.Millisecond)
	c := store.Capture{ID: "c1", Alert: "k1", Source: "alertmanager", Target: id, Service: "shop", Reason: "alert Slow",
		Began: began}
	if _, err := r.store.AddCapture(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	state := func(id string) store.Capture {
		c, err := r.store.Capture(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	await(t, "the capture", func() bool { return state("c1").State == store.Done })
	got, err := r.store.Case(t.Context(), state("c1").Case)
	if err != nil || got.Trigger.Text != "alert Slow" || len(got.Evidence) < 5 || !got.Trigger.Ended.IsZero() {
		t.Fatalf("the case is %+v, %v", got.Trigger, err)
	}
	end := time.Now().UTC().Truncate(time.Millisecond)
	if err := r.store.EndAlert(t.Context(), "k1", end); err != nil {
		t.Fatal(err)
	}
	if got, err = r.store.Case(t.Context(), got.ID); err != nil || !got.Trigger.Ended.Equal(end) {
		t.Errorf("the alert ended, and the case says %+v, %v", got.Trigger, err)
	}
	two := []store.Capture{c, c}
	two[0].ID, two[0].Alert, two[0].Reason = "c2", "k2", "alert Slow again"
	two[1].ID, two[1].Alert, two[1].Reason = "c3", "k3", "alert Full"
	for _, c := range two { // at the same time: one incident
		if _, err := r.store.AddCapture(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	await(t, "both", func() bool { return state("c2").State == store.Done && state("c3").State == store.Done })
	if got, err = r.store.Case(t.Context(), state("c3").Case); err != nil ||
		!strings.Contains(got.Trigger.Text+fmt.Sprint(got.Also), "alert Full") {
		t.Errorf("the case of the third alert says %+v, %+v, %v", got.Trigger, got.Also, err)
	}
}

// A capture of a target that is silent waits, and one whose alert ended meanwhile is dropped.
func TestCaptureOfASilentTarget(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := at127("http://" + l.Addr().String())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r := run(t, nil, dead)
	c := store.Capture{ID: "c1", Alert: "k1", Source: "grafana", Target: idOf(t, dead), Reason: "alert Down"}
	if _, err := r.store.AddCapture(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	state := func() store.Capture {
		c, err := r.store.Capture(t.Context(), "c1")
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	await(t, "a first try", func() bool { return strings.Contains(state().Failure, "does not answer") })
	if state().State != store.Waiting {
		t.Errorf("the capture is %+v; want it to wait", state())
	}
	if err := r.store.EndAlert(t.Context(), "k1", time.Now()); err != nil {
		t.Fatal(err)
	}
	await(t, "its end", func() bool { return state().State == store.Dropped })
}

// Who listens and does not read holds up nobody.
func TestSlowListener(t *testing.T) {
	one := target(t)
	r := run(t, nil, one)
	await(t, "the target", func() bool {
		list := r.Targets()
		return len(list) == 1 && list[0].State == Watched
	})
	id := idOf(t, one)
	var all []*Listener
	for {
		l, ok := r.Listen(id)
		if !ok {
			break
		}
		all = append(all, l)
	}
	if len(all) != maxListeners {
		t.Errorf("%d listen at most, want %d", len(all), maxListeners)
	}
	was, _ := r.Status(id)
	await(t, "a hundred samples beside them", func() bool {
		st, _ := r.Status(id)
		return st.Time.Sub(was.Time) > listenerRoom*2*100*time.Millisecond
	})
	for _, l := range all {
		l.Close()
	}
	if l, ok := r.Listen(id); !ok {
		t.Error("nobody can listen after the others left")
	} else {
		l.Close()
	}
}

func TestNewRefuses(t *testing.T) {
	_, err := New(Config{Refresh: -1})
	for _, want := range []string{"Targets", "Dir", "Refresh"} {
		if err == nil || !strings.Contains(err.Error(), "field "+want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}
