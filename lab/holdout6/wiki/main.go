// Wiki renders what people write as they write it: Markdown to safe HTML.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	r := newRenderer()
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.POST("/preview", func(c echo.Context) error {
		src, err := io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, 256<<10))
		if err != nil {
			return echo.NewHTTPError(http.StatusRequestEntityTooLarge, err.Error())
		}
		c.Response().Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
		return r.render(c.Response(), src)
	})
	e.GET("/debug/pprof/*", echo.WrapHandler(http.DefaultServeMux))
	log.Fatal(e.Start(p.Main()))
}

func load(p drive.Ports) {
	drive.Load{Rate: 70}.Run(func(i int) *http.Request {
		return drive.Send(http.MethodPost, p.Main(), "/preview", article(i%40))
	})
}

// article is of 3 to 10 kB.
func article(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Runbook %d\n\n", n)
	for i := range 8 + n%20 {
		fmt.Fprintf(&b, "## Step %d\n\nRestart the *%d-th* node, see [the list](https://example.com/nodes/%d), **wait**.\n\n",
			i, i+1, i)
		fmt.Fprintf(&b, "| node | state |\n|---|---|\n| n%d | up |\n| n%d | down |\n\n```\nkubectl drain n%d\n```\n\n",
			i, i+1, i)
		b.WriteString("- drain it\n- <script>alert(1)</script> upgrade `it`\n- bring it back\n\n")
	}
	return b.String()
}
