// Package template_parse shows a customer's invoice as a page.
//
// The fault: the template is parsed for every request.
package template_parse

import (
	"html/template"
	"net/http"

	"github.com/gocasebook/casebook/lab/faults"
)

const invoice = `<!doctype html><title>Invoice {{.Number}}</title><h1 class="{{.State}}">Invoice {{.Number}}</h1>
<p>To <a href="/customers/{{.Customer}}">{{.Customer}}</a></p><table>{{range .Items}}<tr><td>{{.Name}}<td>{{.Count}}<td>{{printf "%.2f" .Price}}{{end}}</table>
{{if .Overdue}}<p class=late>Overdue since {{.Overdue}}.{{else}}<p>Thank you.{{end}}`

// Pages shows invoices.
type Pages struct {
	page func() *template.Template
	data any
}

type item struct {
	Name  string
	Count int
	Price float64
}

func newPages(page func() *template.Template) *Pages {
	return &Pages{page, map[string]any{"Number": 4711, "State": "open", "Customer": "ada", "Overdue": "May",
		"Items": []item{{"chair", 4, 59.9}, {"table", 1, 349}}}}
}

// ServeHTTP answers with the page.
func (p *Pages) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if err := p.page().Execute(w, p.data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func parse() *template.Template {
	return template.Must(template.New("invoice").Parse(invoice))
}

func parsed() func() *template.Template {
	t := parse()
	return func() *template.Template { return t }
}

func service(page func() *template.Template, perSecond float64) faults.Service {
	return faults.Service{Handler: newPages(page), Load: []faults.Call{{Path: "/invoice", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "template-parse", Text: "a page's template is parsed for every request",
		Culprit:  "template_parse.parse",
		Faulty:   func() faults.Service { return service(parse, 900) },
		Repaired: func() faults.Service { return service(parsed(), 900) },
		Limit:    func() faults.Service { return service(parse, 200) },
	}
}
