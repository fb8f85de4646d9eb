package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/go-chi/chi/v5"
	chimw "github.com/go-chi/chi/v5/middleware"
	"github.com/labstack/echo/v4"
	echomw "github.com/labstack/echo/v4/middleware"
	"github.com/panjf2000/ants/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// A viewer shows source files with colours.
type viewer struct {
	lexer     chroma.Lexer
	style     *chroma.Style
	formatter *html.Formatter
	files     []string
}

func newViewer() *viewer {
	v := &viewer{lexer: chroma.Coalesce(lexers.Get("go")), style: styles.Get("github"),
		formatter: html.New(html.WithClasses(true))}
	for i := range 20 {
		v.files = append(v.files, source(i))
	}
	return v
}

// source is a file of Go, some 120 lines long.
func source(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Package p%d counts.\npackage p%d\n\nimport \"fmt\"\n", n, n)
	for i := range 12 {
		fmt.Fprintf(&b, "\n// count%d counts what is greater than %d.\nfunc count%d(all []int, where map[string]bool) "+
			"(n int, err error) {\n\tfor i, v := range all {\n\t\tif v > %d && where[fmt.Sprint(\"key\", i)] {\n"+
			"\t\t\tn++ // one more\n\t\t}\n\t}\n\treturn n, nil\n}\n", i, i, i, i*n)
	}
	return b.String()
}

func (v *viewer) highlight(w io.Writer, n int) error {
	tokens, err := v.lexer.Tokenise(nil, v.files[n%len(v.files)])
	if err != nil {
		return err
	}
	return v.formatter.Format(w, v.style, tokens)
}

func beginEcho(o serve.Options, how string) error {
	v := newViewer()
	e := echo.New()
	e.Use(echomw.RequestID(), echomw.Recover())
	e.GET("/highlight", func(c echo.Context) error {
		n, err := strconv.Atoi(c.QueryParam("f"))
		if err != nil {
			return echo.ErrBadRequest
		}
		var b bytes.Buffer
		if err := v.highlight(&b, n); err != nil {
			return err
		}
		return c.HTMLBlob(http.StatusOK, b.Bytes())
	})
	http.Handle("/highlight", e)
	if how == "batch" {
		return v.batch()
	}
	return nil
}

// batch makes pages of files for ever, many at once; nobody waits for them.
func (v *viewer) batch() error {
	pool, err := ants.NewPool(64)
	if err != nil {
		return err
	}
	go func() {
		for i := 0; ; i++ {
			if err := pool.Submit(func() { v.highlight(io.Discard, i) }); err != nil {
				return
			}
		}
	}()
	return nil
}

// A wiki renders its pages for each reader.
type wiki struct {
	md    goldmark.Markdown
	pages [][]byte
}

func newWiki() *wiki {
	w := &wiki{md: goldmark.New(goldmark.WithExtensions(extension.GFM))}
	for n := range 20 {
		var b bytes.Buffer
		for i := range 60 {
			fmt.Fprintf(&b, "## Part %d of %d\n\nSome *words* about [a thing](https://example.org/%d), `code`, and\n"+
				"more **words** with ~~errors~~.\n\n- one\n- two\n  1. three\n\n| a | b |\n|---|---|\n| %d | x |\n\n",
				i, n, i, i)
		}
		w.pages = append(w.pages, b.Bytes())
	}
	return w
}

func (k *wiki) page(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(chi.URLParam(r, "n"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	var b bytes.Buffer
	if err := k.md.Convert(k.pages[n%len(k.pages)], &b); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Write(b.Bytes())
}

func beginChi(o serve.Options, how string) error {
	r := chi.NewRouter()
	r.Use(chimw.RequestID, chimw.Recoverer)
	if how == "throttled" {
		r.Use(chimw.ThrottleBacklog(2*runtime.GOMAXPROCS(0), 0, time.Second))
	}
	r.Get("/pages/{n}", newWiki().page)
	http.Handle("/pages/", r)
	return nil
}

// askHTTP asks the server of net/http for a path with a number in it; askOwn asks a server that has its own port.
func askHTTP(path string) func(serve.Options) (func(int) error, error) {
	return func(o serve.Options) (func(int) error, error) {
		return get(fmt.Sprintf("http://127.0.0.1:%d%s", o.Port, path))
	}
}

func askOwn(path string) func(serve.Options) (func(int) error, error) {
	return func(o serve.Options) (func(int) error, error) { return get("http://" + o.Own() + path) }
}

func get(url string) (func(int) error, error) {
	c := &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: room}}
	return func(i int) error {
		res, err := c.Get(fmt.Sprintf(url, i))
		if err != nil {
			return err
		}
		defer res.Body.Close()
		_, err = io.Copy(io.Discard, res.Body)
		return err
	}, nil
}
