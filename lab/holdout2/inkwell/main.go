// Inkwell renders documents. All of them are in memory, as trees.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"strings"
	"time"
)

type node struct {
	tag      string
	text     *string
	attrs    map[string]string
	parent   *node
	children []*node
}

func (n *node) add(c *node) *node {
	c.parent = n
	n.children = append(n.children, c)
	return c
}

func draft(id int) *node {
	root := &node{tag: "doc", attrs: map[string]string{"id": strconv.Itoa(id)}}
	for s := range 6 {
		section := root.add(&node{tag: "section", attrs: map[string]string{"n": strconv.Itoa(s)}})
		for p := range 12 {
			text := fmt.Sprintf("paragraph %d of section %d of document %d", p, s, id)
			section.add(&node{tag: "p", text: &text})
		}
	}
	return root
}

// copyTree gives each reader a tree to annotate.
func copyTree(n, parent *node) *node {
	c := &node{tag: n.tag, parent: parent, attrs: make(map[string]string, len(n.attrs)+1)}
	for k, v := range n.attrs {
		c.attrs[k] = v
	}
	if n.text != nil {
		text := strings.Clone(*n.text)
		c.text = &text
	}
	for _, child := range n.children {
		c.children = append(c.children, copyTree(child, c))
	}
	return c
}

func mark(n *node, reader string) {
	n.attrs["reader"] = reader
	for _, c := range n.children {
		mark(c, reader)
	}
}

func write(b *strings.Builder, n *node) {
	b.WriteByte('<')
	b.WriteString(n.tag)
	for k, v := range n.attrs {
		b.WriteString(" " + k + `="` + v + `"`)
	}
	b.WriteByte('>')
	if n.text != nil {
		b.WriteString(*n.text)
	}
	for _, c := range n.children {
		write(b, c)
	}
	b.WriteString("</" + n.tag + ">")
}

type library []*node

// bundle renders some documents for a reader.
func (l library) bundle(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.FormValue("from"))
	trees := []*node{}
	for i := range 150 {
		trees = append(trees, copyTree(l[(from+i)%len(l)], nil))
	}
	var b strings.Builder
	for _, t := range trees {
		mark(t, r.FormValue("reader"))
		write(&b, t)
	}
	w.Write([]byte(b.String())[:min(b.Len(), 4096)])
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 50}}
	for i := 0; ; i++ {
		for k := range 8 {
			go func() {
				res, err := client.Get(fmt.Sprintf("%s/bundle?from=%d&reader=r%d", url, i*97+k, k))
				if err == nil {
					res.Body.Close()
				}
			}()
		}
		time.Sleep(400 * time.Millisecond)
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	var lib library
	for id := range 8000 {
		lib = append(lib, draft(id))
	}
	http.HandleFunc("/bundle", lib.bundle)
	log.Fatal(http.ListenAndServe(addr, nil))
}
