// Letters renders letters from a template for a printer that takes them over TCP.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"text/template"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

var letter = template.Must(template.New("letter").Parse(`{{.Name}}
{{.Street}} {{.House}}
{{.Zip}} {{.Town}}

Dear {{.Name}},

{{range .Items}}{{.Count}} x {{.What}} at {{.Price}} = {{.Sum}}
{{end}}
Please pay by {{.Due}}.
` + "\f"))

type item struct {
	Count, Price, Sum int
	What              string
}

type bill struct {
	Name, Street, Town, Zip, Due string
	House                        int
	Items                        []item
}

type printer struct {
	mu sync.Mutex
	w  io.Writer
}

func (p *printer) print(b *bill) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := letter.Execute(p.w, b); err != nil {
		return err
	}
	if f, ok := p.w.(*bufio.Writer); ok {
		return f.Flush()
	}
	return nil
}

func start(o serve.Options) error {
	c, err := net.Dial("tcp", o.Backend)
	if err != nil {
		return err
	}
	p := &printer{w: c}
	if o.Kind == "buffered" {
		p.w = bufio.NewWriterSize(c, 16<<10)
	}
	http.HandleFunc("POST /bills/{n}", func(w http.ResponseWriter, r *http.Request) {
		b := &bill{Name: "C. " + r.PathValue("n"), Street: "Long Lane", House: 7, Zip: "12345", Town: "Springfield",
			Due: "Friday"}
		for i := range 12 {
			b.Items = append(b.Items, item{i + 1, 100 + i, (i + 1) * (100 + i), "widgets"})
		}
		if err := p.print(b); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	})
	return nil
}

func backend() (string, func(), error) {
	l, err := serve.Listen()
	if err != nil {
		return "", nil, err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go io.Copy(io.Discard, c)
		}
	}()
	return l.Addr().String(), func() { l.Close() }, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 3000, Backend: backend, Method: http.MethodPost,
		Path: func(i int) string { return fmt.Sprint("/bills/", i) }})
}
