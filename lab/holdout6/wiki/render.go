package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
)

// A renderer is made once; both of its parts are safe for many goroutines.
type renderer struct {
	markdown goldmark.Markdown
	policy   *bluemonday.Policy
	buffers  sync.Pool
}

func newRenderer() *renderer {
	return &renderer{
		markdown: goldmark.New(goldmark.WithExtensions(extension.GFM),
			goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithRendererOptions(html.WithUnsafe())),
		policy:  bluemonday.UGCPolicy(),
		buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }},
	}
}

// render writes src as HTML that a browser may show.
func (r *renderer) render(w io.Writer, src []byte) error {
	b := r.buffers.Get().(*bytes.Buffer)
	defer r.buffers.Put(b)
	b.Reset()
	if err := r.markdown.Convert(src, b); err != nil {
		return fmt.Errorf("rendering: %w", err)
	}
	return r.policy.SanitizeReaderToWriter(b, w)
}
