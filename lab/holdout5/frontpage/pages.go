package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/patrickmn/go-cache"
)

var sections = []string{"garden", "kitchen", "toys", "sports", "books"}

type teaser struct {
	ID      int    `json:"id"`
	Title   string `json:"title"`
	Section string `json:"section"`
	Text    string `json:"text"`
	Rank    int    `json:"rank"`
}

// CMS is the content system.
type CMS struct {
	base string
	http *http.Client
}

// NewCMS asks the content system at base.
func NewCMS(base string) *CMS {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 100
	return &CMS{base, &http.Client{Transport: t, Timeout: 10 * time.Second}}
}

// Teasers are all there are.
func (c *CMS) Teasers(ctx context.Context) (list []teaser, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/teasers", nil)
	if err != nil {
		return nil, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return list, json.NewDecoder(res.Body).Decode(&list)
}

var page = template.Must(template.New("page").Parse(`<h1>{{.Name}}</h1>
{{range .Teasers}}<article id="t{{.ID}}"><h2>{{.Title}}</h2><p>{{.Text}}</p></article>
{{end}}`))

// Pages renders pages and keeps them.
type Pages struct {
	cms  *CMS
	kept *cache.Cache
}

// NewPages keeps a page for three seconds: editors want to see what they changed.
func NewPages(cms *CMS) *Pages {
	return &Pages{cms: cms, kept: cache.New(3*time.Second, 10*time.Second)}
}

func (p *Pages) front(c *gin.Context) { p.serve(c, "front", func(teaser) bool { return true }) }

func (p *Pages) section(c *gin.Context) {
	name := c.Param("name")
	if !slices.Contains(sections, name) {
		c.AbortWithStatus(http.StatusNotFound)
		return
	}
	p.serve(c, name, func(t teaser) bool { return t.Section == name })
}

func (p *Pages) serve(c *gin.Context, name string, wanted func(teaser) bool) {
	html, err := p.rendered(c.Request.Context(), name, wanted)
	if err != nil {
		c.AbortWithError(http.StatusBadGateway, err)
		return
	}
	c.Data(http.StatusOK, "text/html; charset=utf-8", html)
}

// rendered is the page from the cache, or a new one.
func (p *Pages) rendered(ctx context.Context, name string, wanted func(teaser) bool) ([]byte, error) {
	if v, ok := p.kept.Get(name); ok {
		return v.([]byte), nil
	}
	all, err := p.cms.Teasers(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading teasers for %s: %w", name, err)
	}
	all = slices.DeleteFunc(all, func(t teaser) bool { return !wanted(t) })
	slices.SortFunc(all, func(a, b teaser) int { return a.Rank - b.Rank })
	var buf bytes.Buffer
	err = page.Execute(&buf, map[string]any{"Name": name, "Teasers": all[:min(60, len(all))]})
	if err != nil {
		return nil, err
	}
	p.kept.SetDefault(name, buf.Bytes())
	return buf.Bytes(), nil
}
