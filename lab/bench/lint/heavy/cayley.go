package heavy

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
)

// cayley is a graph database of films and people, in bbolt: an application asks it in three languages, and writes.
func cayley() Service {
	return Service{
		Name: "cayley", Module: "github.com/cayleygraph/cayley", Version: "v0.7.7-0.20240706181042-81dcd7d73e45",
		Main: "cmd/cayley", Unseen: true,
		Args: []string{"http", "--init", "--db=bolt", "--dbpath={dir}/graph", "--host=127.0.0.1:{port}"},
		Config: map[string]string{"cayley.yml": "store:\n  backend: bolt\n  address: {dir}/graph\n" +
			"  options: {nosync: true}\nload: {ignore_duplicates: true, ignore_missing: true}\n"},
		Ready: "/health",
		Load:  loadCayley,
	}
}

const cayleyFilms, cayleyPeople = 800, 1200

// film is what is known of a film, person of a person, as N-Quads.
func film(r *rand.Rand, i int) string {
	b := fmt.Appendf(nil, "<film/%d> <name> %q .\n<film/%d> <year> \"%d\"^^<schema:Integer> .\n"+
		"<film/%d> <directed_by> <person/%d> .\n", i, text(r, 2), i, 1950+r.IntN(76), i, r.IntN(cayleyPeople))
	for range 2 + r.IntN(6) {
		b = fmt.Appendf(b, "<film/%d> <starring> <person/%d> .\n", i, r.IntN(cayleyPeople))
	}
	return string(fmt.Appendf(b, "<film/%d> <genre> <genre/%s> .\n", i, pick(r, words[:16])))
}

func person(r *rand.Rand, i int) string {
	b := fmt.Appendf(nil, "<person/%d> <name> %q .\n<person/%d> <born> \"%d\"^^<schema:Integer> .\n", i, text(r, 2), i,
		1920+r.IntN(90))
	for range 3 {
		b = fmt.Appendf(b, "<person/%d> <follows> <person/%d> .\n", i, r.IntN(cayleyPeople))
	}
	return string(b)
}

func quads(body string) request {
	q := post("/api/v2/write", body)
	q.header["Content-Type"] = "application/n-quads"
	return q
}

func loadCayley(ctx context.Context, on Target) error {
	base := "http://" + on.Addr
	r := rand.New(rand.NewPCG(1, 81))
	fill := func(n int, of func(*rand.Rand, int) string) error {
		for i := 0; i < n; i += 200 {
			var b strings.Builder
			for j := i; j < min(n, i+200); j++ {
				b.WriteString(of(r, j))
			}
			status, body, err := send(ctx, http.DefaultClient, base, quads(b.String()))
			if err != nil || status != http.StatusOK {
				return fmt.Errorf("cayley: %d: %s: %w", status, body, err)
			}
		}
		return nil
	}
	if err := fill(cayleyPeople, person); err != nil {
		return err
	}
	if err := fill(cayleyFilms, film); err != nil {
		return err
	}
	return together(ctx, times(6, func(ctx context.Context, i int) error {
		r := rand.New(rand.NewPCG(uint64(i), 82))
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		for ctx.Err() == nil {
			q := cayleyAsk(r)
			status, body, err := send(ctx, client, base, q)
			ok := err == nil && status == http.StatusOK && !bytes.Contains(body, []byte(`"error"`))
			if on.Seen.Is(ok || ctx.Err() != nil); !ok && ctx.Err() == nil {
				fmt.Println(q.path, q.body, status, string(body), err)
			}
		}
		return nil
	})...)
}

// cayleyAsk is what the application asks next.
func cayleyAsk(r *rand.Rand) request {
	a, b := fmt.Sprintf("person/%d", r.IntN(cayleyPeople)), fmt.Sprintf("person/%d", r.IntN(cayleyPeople))
	f := fmt.Sprintf("film/%d", r.IntN(cayleyFilms))
	gizmo := func(format string, args ...any) request {
		return post("/api/v2/query?lang=gizmo", fmt.Sprintf(format, args...))
	}
	switch r.IntN(13) {
	case 0:
		return gizmo(`g.V("<%s>").in("<starring>").out("<starring>").unique().tag("id").save("<name>", "name")`+
			`.limit(40).all()`, a)
	case 1:
		return gizmo(`g.V("<%s>").tag("film").out("<starring>").tag("actor").save("<name>", "name")`+
			`.save("<born>", "born").all()`, f)
	case 2:
		return gizmo(`g.V("<genre/%s>").in("<genre>").has("<year>", gt(1990)).save("<name>", "name").limit(30).all()`,
			pick(r, words[:16]))
	case 3:
		return gizmo(`var co = g.M().in("<starring>").out("<starring>");
g.emit(g.V("<%s>").follow(co).follow(co).unique().count())`, a)
	case 4:
		return gizmo(`g.V("<%s>").followRecursive("<follows>", 3).limit(60).all()`, a)
	case 5:
		return gizmo(`g.V("<%s>").out("<follows>").and(g.V("<%s>").out("<follows>").out("<follows>")).all()`, a, b)
	case 6:
		return gizmo(`g.V("<%s>").out("<follows>").out("<follows>").forEach(function(d) {
  var films = g.V(d.id).in("<starring>").toArray();
  if (films && films.length > 1) { g.emit({id: d.id, films: films}) }
})`, a)
	case 7:
		return post("/api/v2/query?lang=graphql", fmt.Sprintf(
			`{ films(id: <%s>) { id, name, year, director: directed_by { id, name }, `+
				`starring(first: 5) { id, name, born @opt } } }`, f))
	case 8:
		return post("/api/v2/query?lang=mql", fmt.Sprintf(
			`[{"id": "<%s>", "<name>": null, "<starring>": [{"id": null, "<name>": null}]}]`, f))
	case 9:
		return request{method: http.MethodGet, path: "/api/v2/read?sub=" + url.QueryEscape("<"+f+">"),
			header: map[string]string{"Accept": pick(r, []string{"application/n-quads", "application/ld+json"}),
				"Accept-Encoding": pick(r, []string{"gzip", "identity"})}}
	case 10:
		return quads(film(r, cayleyFilms+r.IntN(5000)))
	}
	return gizmo(`g.V("<%s>").saveR("<starring>", "film").save("<name>", "name").getLimit(10)`, a)
}
