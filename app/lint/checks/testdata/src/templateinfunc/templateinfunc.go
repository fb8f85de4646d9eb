package templateinfunc

import (
	"embed"
	html "html/template"
	"io"
	"net/http"
	"text/template"
)

var files embed.FS

const page = `<p>{{.}}</p>`

var parsed = template.Must(template.New("page").Parse(page))

func render(w io.Writer, name string) error {
	t, err := template.New("hello").Parse("hello {{.}}") // want `parsed at every call`
	if err != nil {
		return err
	}
	return t.Execute(w, name)
}

func show(w http.ResponseWriter, r *http.Request) {
	t := html.Must(html.New("page").Parse(page)) // want `parsed at every call`
	t.Execute(w, r.URL.Path)
}

func fromFiles(w http.ResponseWriter, r *http.Request) {
	t, err := html.ParseFiles("a.html", "b.html") // want `parsed at every call`
	if err != nil {
		return
	}
	t.ExecuteTemplate(w, "a.html", nil)
}

func embedded(w io.Writer) error {
	t, err := html.ParseFS(files, "*.html") // want `parsed at every call`
	if err != nil {
		return err
	}
	return t.Execute(w, nil)
}

// A fix would fail at the start: the function is not there.
func withFuncs(w io.Writer) error {
	t := template.Must(template.New("f").Parse("{{upper .}}")) // want `parsed at every call`
	return t.Execute(w, "x")
}

// What follows is fine.

func userText(w io.Writer, text string) error {
	t, err := template.New("user").Parse(text)
	if err != nil {
		return err
	}
	return t.Execute(w, nil)
}

type server struct{ page *template.Template }

func newServer() (*server, error) {
	t, err := template.New("page").Parse(page)
	return &server{page: t}, err
}

func parse() (*template.Template, error) { return template.New("page").Parse(page) }

func useParsed(w io.Writer) error { return parsed.Execute(w, 1) }

func init() {
	t := template.Must(template.New("once").Parse("x"))
	t.Execute(io.Discard, nil)
}
