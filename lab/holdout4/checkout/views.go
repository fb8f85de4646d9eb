package main

import (
	"fmt"
	"html/template"
	"io"
	"net/url"
	"strings"
)

// layout and the pages are parsed at the start.
const layout = `<!doctype html><html lang="{{lang}}"><head><title>{{t "shop"}} - {{block "title" .}}{{end}}</title>
<meta name="csrf" content="{{csrf}}"><link rel="stylesheet" href="/static/{{.Build}}.css"></head>
<body class="{{.Theme}}"><header><a href="/?lang={{lang}}">{{t "shop"}}</a><nav>{{range .Menu}}
<a href="/c/{{.Slug}}?lang={{lang}}" title="{{t .Title}}">{{t .Title}}</a>{{end}}</nav></header>
<main>{{block "content" .}}{{end}}</main><footer>{{template "footer" .}}</footer></body></html>
{{define "footer"}}<p>{{t "imprint"}} · {{t "privacy"}} · {{.Build}}</p>
<form action="/news?lang={{lang}}" method="post">
<input type="hidden" name="csrf" value="{{csrf}}"><input name="mail" placeholder="{{t "mail"}}">
<button title="{{t "news"}}">
{{t "news"}}</button></form><ul>{{range .Menu}}<li><a href="/c/{{.Slug}}?from=footer&lang={{lang}}">
{{.Title | t | upper}}
</a></li>{{end}}</ul><select name="lang" onchange="go({{.Theme}}, this.value)">
<option {{if eq lang "en"}}selected{{end}}>
English</option><option {{if eq lang "de"}}selected{{end}}>Deutsch</option><option {{if eq lang "fr"}}selected{{end}}>
Français</option></select>{{end}}`

var pages = map[string]string{
	"cart": `{{define "title"}}{{t "cart"}}{{end}}{{define "content"}}<h1>{{t "cart"}}</h1>
<form action="/checkout?lang={{lang}}" method="post"><input type="hidden" name="csrf" value="{{csrf}}"><table>
{{range .Lines}}<tr data-id="{{.ID}}"><td><img src="{{.Image}}" alt="{{.Title}}"></td><td><a href="/p/{{.ID}}">
{{.Title}}</a></td><td>{{if gt .Count 1}}{{.Count}} ×{{end}} {{money .Cents}}</td><td><button name="remove"
value="{{.ID}}" onclick="remove({{.ID}}, {{.Title}})">{{t "remove"}}</button></td></tr>{{else}}<tr><td>{{t "empty"}}
</td></tr>{{end}}</table><p>{{t "total"}}: {{money .Total}}</p><button>{{t "checkout"}}</button></form>
<script>window.cart = {{.Lines}};</script>{{end}}`,
	"address": `{{define "title"}}{{t "address"}}{{end}}{{define "content"}}<h1>{{t "address"}}</h1>
<form action="/address?lang={{lang}}" method="post"><input type="hidden" name="csrf" value="{{csrf}}">
{{range .Fields}}<label for="{{.}}">{{t .}}</label><input id="{{.}}" name="{{.}}">{{end}}
<button>{{t "next"}}</button></form><p>{{t "total"}}: {{money .Total}}</p>{{end}}`,
}

type Views struct {
	pages    map[string]*template.Template
	messages map[string]map[string]string
}

func NewViews(messages map[string]map[string]string) (*Views, error) {
	v := &Views{pages: map[string]*template.Template{}, messages: messages}
	for name, text := range pages {
		t, err := template.New(name).Funcs(helpers("en", "", nil)).Parse(layout)
		if err != nil {
			return nil, err
		}
		if t, err = t.Parse(text); err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
		v.pages[name] = t
	}
	return v, nil
}

// helpers are what pages may call; what they say depends on the visitor.
func helpers(lang, csrf string, messages map[string]string) template.FuncMap {
	return template.FuncMap{
		"lang": func() string { return lang },
		"csrf": func() string { return csrf },
		"t": func(key string) string {
			if m, ok := messages[key]; ok {
				return m
			}
			return key
		},
		"money": func(cents int) string {
			whole, rest := cents/100, cents%100
			if lang == "de" {
				return fmt.Sprintf("%d,%02d €", whole, rest)
			}
			return fmt.Sprintf("€%d.%02d", whole, rest)
		},
		"escape": url.QueryEscape,
		"upper":  strings.ToUpper,
	}
}

// Render writes a page in the language of the visitor.
func (v *Views) Render(w io.Writer, page, lang, csrf string, data any) error {
	base, ok := v.pages[page]
	if !ok {
		return fmt.Errorf("no page %q", page)
	}
	t, err := base.Clone()
	if err != nil {
		return fmt.Errorf("page %s: %w", page, err)
	}
	return t.Funcs(helpers(lang, csrf, v.messages[lang])).Execute(w, data)
}
