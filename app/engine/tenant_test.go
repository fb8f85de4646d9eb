package engine

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/vitals"
)

// A team is a tenant of an engine, with the credentials that it alone has and the function in which its shop burns CPU.
type team struct {
	tenant, password, function string
}

var teams = []team{{"checkout", "pw-checkout", "main.checkout"}, {"search", "pw-search", "main.search"}}

func (m team) authorization() string { return "Bearer " + m.password }

// shared is an engine in which both teams have a service of the same name, and which lets nobody see another's.
func shared(t *testing.T, start func(testing.TB) *enginetest.Server) *enginetest.Server {
	t.Helper()
	s, now := start(t), time.Now()
	for _, m := range teams {
		for i := range 24 {
			s.Tenant(m.tenant).Add(map[string]string{"service_name": "shop", "pod": "shop-0", "service_version": "v-" +
				m.tenant}, "process_cpu", now.Add(time.Minute-time.Duration(i)*15*time.Second), spent(3, m.function))
		}
	}
	s.Refuse = func(w http.ResponseWriter, r *http.Request) bool {
		for _, m := range teams {
			if r.Header.Get(tenantHeader) == m.tenant && r.Header.Get("Authorization") == m.authorization() {
				return false
			}
		}
		http.Error(w, "no such tenant, or not yours", http.StatusForbidden)
		return true
	}
	return s
}

// wantSeparate fails unless each request went out as one of the teams, and both were asked for.
func wantSeparate(t *testing.T, s *enginetest.Server) {
	t.Helper()
	seen := make(map[string]bool)
	for _, r := range s.Asked() {
		seen[r.Header.Get(tenantHeader)+" "+r.Header.Get("Authorization")] = true
	}
	want := make(map[string]bool)
	for _, m := range teams {
		want[m.tenant+" "+m.authorization()] = true
	}
	if fmt.Sprint(seen) != fmt.Sprint(want) {
		t.Errorf("requests went out as %v, want %v", seen, want)
	}
}

// ways are those in which a team may say who it is. The first says it of the address alone; in the others a file that
// was made for the other team must not win over what the address says.
func ways(t *testing.T, m team) map[string]struct {
	parameter string
	access    instance.HTTPOptions
} {
	t.Helper()
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	other := teams[0]
	if m == other {
		other = teams[1]
	}
	bearer := http.Header{"Authorization": {m.authorization()}}
	return map[string]struct {
		parameter string
		access    instance.HTTPOptions
	}{
		"parameter":    {"&tenant=" + m.tenant, instance.HTTPOptions{BearerFile: file(m.password)}},
		"header":       {"", instance.HTTPOptions{Header: http.Header{"x-scope-orgid": {m.tenant}}, BearerFile: file(m.password)}},
		"file":         {"", instance.HTTPOptions{Header: bearer, HeaderFile: file("X-Scope-OrgID: " + m.tenant + "\n")}},
		"other's file": {"&tenant=" + m.tenant, instance.HTTPOptions{Header: bearer, HeaderFile: file("X-Scope-OrgID: " + other.tenant)}},
		"other's header": {"&tenant=" + m.tenant, instance.HTTPOptions{BearerFile: file(m.password),
			Header: http.Header{tenantHeader: {other.tenant}}}},
	}
}

func wantOwn(t *testing.T, m team, p instance.Profile, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", m.tenant, err)
		return
	}
	for _, f := range parsed(t, p).Function {
		if f.Name != m.function {
			t.Errorf("%s got a profile with %s, want %s", m.tenant, f.Name, m.function)
		}
	}
	if strings.Contains(p.Note, m.tenant) || !strings.Contains(p.Note, "#tenant-") {
		t.Errorf("%s's note is %q; want the mark of a tenant and not its name", m.tenant, p.Note)
	}
}

// Two tenants of one host are asked at the same time, in all ways and by all questions: each sees its own.
func TestTenants(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			s := shared(t, e.start)
			var work sync.WaitGroup
			shown := make(map[string]string)
			for _, m := range teams {
				for name, way := range ways(t, m) {
					target, err := New(e.name+"://"+s.Host+"?service=shop"+way.parameter, Options{Access: way.access})
					if err != nil {
						t.Fatal(err)
					}
					if url := target.URL(); shown[url] != "" && shown[url] != m.tenant {
						t.Errorf("%s by %s and %s are both shown as %s", m.tenant, name, shown[url], url)
					}
					shown[target.URL()] = m.tenant
					work.Go(func() { askAll(t, m, target) })
				}
			}
			work.Wait()
			if len(shown) != len(teams) {
				t.Errorf("the addresses are shown as %v, want one of each team, whichever way it was given", shown)
			}
			wantSeparate(t, s)
		})
	}
}

func askAll(t *testing.T, m team, target *Target) {
	t.Helper()
	if _, err := target.Describe(t.Context()); err != nil {
		t.Errorf("%s: %v", m.tenant, err)
	}
	sample := vitals.NewSample(time.Now())
	if err := target.Sample(t.Context(), &sample); err != nil {
		t.Errorf("%s: %v", m.tenant, err)
	}
	if _, err := target.Past(t.Context(), time.Now().Add(-5*time.Minute)); err != nil {
		t.Errorf("%s: %v", m.tenant, err)
	}
	p, err := target.Capture(t.Context(), casefile.CPU, 0)
	wantOwn(t, m, p, err)
}

// What cases of two teams quote is their own.
func TestTenantsQuotes(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			s := shared(t, e.start)
			for _, m := range teams {
				quotes, err := Quotes(e.name+"://"+s.Host+"?service=shop&since=2m&tenant="+m.tenant,
					Options{Access: instance.HTTPOptions{Header: http.Header{"Authorization": {m.authorization()}}}})
				if err != nil {
					t.Fatal(err)
				}
				for _, q := range quotes {
					p, err := q.Take(t.Context(), time.Now())
					var empty *instance.EmptyError
					switch {
					case q.Name == "before-cpu":
						wantOwn(t, m, p, err)
					case !errors.As(err, &empty): // the other team has a second version
						t.Errorf("%s has %s (%v), want nothing", m.tenant, q.Name, err)
					}
				}
			}
			wantSeparate(t, s)
		})
	}
}

// A directory of each team lists and judges its own, under a name of its own.
func TestTenantsDirectories(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			s := shared(t, e.start)
			var names []string
			for _, m := range teams {
				d, err := NewDirectory(e.name+"://"+s.Host+"?tenant="+m.tenant,
					Options{Access: instance.HTTPOptions{Header: http.Header{"Authorization": {m.authorization()}}}})
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, d.String())
				u, err := d.Usage(t.Context(), "shop")
				if err != nil {
					t.Fatal(err)
				}
				wantOwn(t, m, u.Profile, nil)
				if !slices.Equal(u.Versions, []string{"v-" + m.tenant}) {
					t.Errorf("%s runs %v", m.tenant, u.Versions)
				}
			}
			if names[0] == names[1] {
				t.Errorf("both teams' services are those of %s", names[0])
			}
			wantSeparate(t, s)
		})
	}
}

// A case is pushed to the tenant of the address, whatever tenant a file of headers names.
func TestTenantsPush(t *testing.T) {
	for _, e := range engines {
		s := e.start(t)
		mine, others := s.Tenant("search"), s.Tenant("checkout")
		file := filepath.Join(t.TempDir(), "headers")
		if err := os.WriteFile(file, []byte("X-Scope-OrgID: checkout\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Push(e.name+"://"+s.Host+"?tenant=search", instance.HTTPOptions{HeaderFile: file})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Send(t.Context(), newCase(t, time.Now())); err != nil {
			t.Fatal(err)
		}
		if len(mine.Labels()) == 0 || len(others.Labels()) > 0 {
			t.Errorf("%s: %d series are search's and %d checkout's, want all of them search's", e.name,
				len(mine.Labels()), len(others.Labels()))
		}
		plain, err := Push(e.name+"://"+s.Host, instance.HTTPOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var final *reporter.Error
		if err := plain.Send(t.Context(), newCase(t, time.Now())); !errors.As(err, &final) ||
			!strings.Contains(err.Error(), "tenant=NAME") {
			t.Errorf("%s: without a tenant: %v, want that one is to be named", e.name, err)
		}
	}
}

// The metrics of a target are asked for as their own address says, and with the target's credentials only where that
// says nothing and the host is the same. They may be nowhere where the target may not be.
func TestTenantsMetrics(t *testing.T) {
	type asked struct{ tenant, authorization string }
	for _, c := range []struct {
		name, metrics string // where HOST is the target's own host, and OTHER another
		want          asked
	}{
		{"own tenant and user", "prometheus://u:pw@HOST?service=shop&tenant=metrics", asked{"metrics", "Basic dTpwdw=="}},
		{"own tenant", "prometheus://HOST?service=shop&tenant=metrics", asked{"metrics", "Bearer s3cret"}},
		{"nothing of its own", "prometheus://HOST?service=shop", asked{"profiles", "Bearer s3cret"}},
		{"elsewhere", "prometheus://OTHER?service=shop", asked{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			seen := make(map[asked]int)
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				seen[asked{r.Header.Get(tenantHeader), r.Header.Get("Authorization")}]++
				_, _ = w.Write([]byte(`{"status":"success","data":["shop"]}`))
			}))
			defer web.Close()
			_, port, _ := strings.Cut(strings.TrimPrefix(web.URL, "http://"), ":")
			metrics := strings.NewReplacer("HOST", "127.0.0.1:"+port, "OTHER", "localhost:"+port).Replace(c.metrics)
			var allowed sync.Map
			target, err := New("pyroscope://127.0.0.1:1?service=shop&tenant=target", Options{Metrics: metrics,
				Access: instance.HTTPOptions{Header: http.Header{tenantHeader: {"profiles"}, "Authorization": {"Bearer s3cret"}},
					Allow: func(to netip.Addr) error {
						allowed.Store(to, true)
						return nil
					}}})
			if err != nil {
				t.Fatal(err)
			}
			w := window{time.Now().Add(-time.Minute), time.Now()}
			if _, err := target.metrics.values(t.Context(), "job", nil, w); err != nil {
				t.Fatal(err)
			}
			if len(seen) != 1 || seen[c.want] != 1 {
				t.Errorf("the metrics were asked for as %v, want %v", seen, c.want)
			}
			checked := 0
			allowed.Range(func(any, any) bool { checked++; return true })
			if checked == 0 {
				t.Error("nobody was asked whether that address may be connected to")
			}
		})
	}
}

// An address that was copied from a case says whose it was, and does not stand for another tenant's service.
func TestCopiedAddress(t *testing.T) {
	shown, err := Shown("pyroscope://h:4040?service=shop&tenant=checkout", instance.HTTPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	address, mark, _ := strings.Cut(shown, "#")
	for text, want := range map[string]string{
		shown:                                                 "tenant=NAME before the #",
		address + "&tenant=search#" + mark:                    "tenant=NAME before the #",
		shown + "&tenant=checkout":                            "tenant=NAME before the #",
		address + "&tenant=checkout#" + mark:                  "",
		address + "&tenant=checkout":                          "",
		address + "&tenant=checkout#x":                        "",
		"pyroscope://checkout:pw@h:4040?service=shop#" + mark: "", // the user's name chooses the tenant
	} {
		_, err := New(text, Options{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := New(shown+"&tenant=s3cret", Options{}); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a tenant behind the mark: %v; want an error without its name", err)
	}
}

func TestSame(t *testing.T) {
	basic := instance.HTTPOptions{Header: http.Header{"Authorization": {"Basic dTpwdw=="}}} // user u
	for _, c := range []struct {
		a, b           string
		access         instance.HTTPOptions
		server, tenant bool
	}{
		{"pyroscope://h:4040?service=a", "pyroscope://h:4040?service=b", basic, true, true},
		{"pyroscope://h:4040?service=a&tenant=x", "parca://h:4040?tenant=x", basic, true, true},
		{"pyroscope://h:4040?service=a&tenant=x", "pyroscope://h:4040?service=a&tenant=y", basic, true, false},
		{"pyroscope://h:4040?service=a", "pyroscope://h:4040?service=a&tenant=y", basic, true, false},
		{"pyroscope://h:4040?service=a", "pyroscope://v:pw@h:4040?service=a", basic, true, false},
		{"pyroscope://h:4040?service=a", "pyroscope://u:pw@h:4040?service=a", basic, true, true},
		{"pyroscope://h:4040?service=a", "pyroscope://h:4041?service=a", basic, false, false},
		{"pyroscope+https://h:4040?service=a", "pyroscope://h:4040?service=a", basic, false, false},
		{"http://h:4040", "pyroscope://h:4040?service=a", basic, false, false},
	} {
		if server, tenant := Same(c.a, c.b, c.access); server != c.server || tenant != c.tenant {
			t.Errorf("%s and %s: one server %v, one tenant %v; want %v and %v", c.a, c.b, server, tenant, c.server,
				c.tenant)
		}
	}
}
