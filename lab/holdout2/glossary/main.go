// Glossary is a small site of terms, in two languages.
package main

import (
	"flag"
	"fmt"
	"html/template"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sort"
	"strings"
	"time"
)

const layout = `<!doctype html><html lang="{{.Lang}}"><head><title>{{.Term.Name}}</title></head><body>
{{block "nav" .}}<nav>{{range .All}}<a href="/{{$.Lang}}/{{.}}">{{.}}</a> {{end}}</nav>{{end}}
<main>{{template "body" .Term}}</main>{{template "foot" .}}</body></html>`

const body = `{{define "body"}}<h1>{{.Name | title}}</h1><p>{{.Text}}</p>
{{if .See}}<ul>{{range .See}}<li><a href="/term/{{.}}">{{. | title}}</a></li>{{end}}</ul>{{end}}{{end}}
{{define "foot"}}<footer>{{.Lang}} {{len .All}} terms</footer>{{end}}`

type term struct {
	Name, Text string
	See        []string
}

type view struct {
	Lang string
	Term term
	All  []string
}

type renderer struct{ funcs template.FuncMap }

func (r renderer) templates() (*template.Template, error) {
	t, err := template.New("layout").Funcs(r.funcs).Parse(layout)
	if err != nil {
		return nil, err
	}
	return t.Parse(body)
}

func (r renderer) render(w io.Writer, v view) error {
	t, err := r.templates()
	if err != nil {
		return err
	}
	return t.Execute(w, v)
}

type site struct {
	terms map[string]term
	names []string
	renderer
}

func newSite() *site {
	s := &site{terms: make(map[string]term)}
	s.funcs = template.FuncMap{"title": func(x string) string { return strings.ToUpper(x[:1]) + x[1:] }}
	for _, n := range strings.Fields("anchor bulkhead cleat davit fender gunwale halyard keel luff mast") {
		s.terms[n] = term{n, "A " + n + " is a part of a boat.", []string{"keel", "mast"}}
		s.names = append(s.names, n)
	}
	sort.Strings(s.names)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	lang, name, _ := strings.Cut(strings.Trim(r.URL.Path, "/"), "/")
	t, ok := s.terms[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if err := s.render(w, view{lang, t, s.names}); err != nil {
		log.Print(err)
	}
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	names := newSite().names
	for n := range 8 {
		go func() {
			for i := n; ; i++ {
				if res, err := client.Get(url + "/en/" + names[i%len(names)]); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(2 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	http.Handle("/", newSite())
	log.Fatal(http.ListenAndServe(addr, nil))
}
