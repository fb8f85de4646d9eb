// Newsgroup speaks NNTP over net/textproto: a client asks for the overview of a group, and gets a line an article.
package main

import (
	"fmt"
	"log"
	"net"
	"net/textproto"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type article struct {
	number, lines int
	subject, from string
}

type group struct {
	name     string
	articles []article
}

func (g *group) overview(c *textproto.Conn, dots bool) error {
	if err := c.PrintfLine("224 overview of %s follows", g.name); err != nil {
		return err
	}
	if dots {
		w := c.DotWriter()
		for _, a := range g.articles {
			fmt.Fprintf(w, "%d\t%s\t%s\t%d\n", a.number, a.subject, a.from, a.lines)
		}
		return w.Close()
	}
	for _, a := range g.articles {
		if err := c.PrintfLine("%d\t%s\t%s\t%d", a.number, a.subject, a.from, a.lines); err != nil {
			return err
		}
	}
	return c.PrintfLine(".")
}

func (g *group) talk(conn net.Conn, dots bool) error {
	c := textproto.NewConn(conn)
	defer c.Close()
	if err := c.PrintfLine("200 ready"); err != nil {
		return err
	}
	for {
		line, err := c.ReadLine()
		if err != nil {
			return err
		}
		switch cmd := strings.ToUpper(line); {
		case strings.HasPrefix(cmd, "OVER"):
			err = g.overview(c, dots)
		case cmd == "QUIT":
			return c.PrintfLine("205 bye")
		default:
			err = c.PrintfLine("500 what?")
		}
		if err != nil {
			return err
		}
	}
}

func start(o serve.Options) error {
	g := &group{name: "comp.lang.go"}
	for i := range 120 {
		g.articles = append(g.articles, article{i + 1, 20 + i%40, "Re: buffers", fmt.Sprintf("user%d@example.org", i)})
	}
	l, err := net.Listen("tcp", o.Own())
	if err != nil {
		return err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go func() {
				if err := g.talk(c, o.Kind == "buffered"); err != nil {
					log.Print(err)
				}
			}()
		}
	}()
	return nil
}

func load(o serve.Options) {
	for range 8 {
		go func() {
			c, err := textproto.Dial("tcp", o.Own())
			if err != nil {
				log.Fatal(err)
			}
			c.ReadLine()
			for range time.Tick(4 * time.Millisecond) {
				c.PrintfLine("OVER")
				if _, _, err := c.ReadCodeLine(224); err != nil {
					log.Fatal(err)
				}
				if _, err := c.ReadDotLines(); err != nil {
					log.Fatal(err)
				}
			}
		}()
	}
	select {}
}

func main() { serve.Run(serve.Service{Start: start, Load: load}) }
