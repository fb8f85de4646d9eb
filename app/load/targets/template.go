package targets

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"
)

// maxRendered bounds what a template may give, for one that loops.
const maxRendered = 64 << 20

// A text is a template made ready: a constant, pieces to append, or text/template itself.
type text struct {
	constant string
	pieces   []piece
	slow     *template.Template
}

// A piece is a constant or, with one of its functions set, a field.
type piece struct {
	constant string
	field    field
}

// isConstant says whether the text is the same for every request.
func (t *text) isConstant() bool { return t.pieces == nil && t.slow == nil }

// A compiler compiles templates over one table, which draw on one draw.
type compiler struct {
	table  *Table
	draw   *draw
	plain  bool // there are no templates: {{ is {{
	funcs  template.FuncMap
	byName map[string]function
}

func newCompiler(table *Table, d *draw, plain bool) *compiler {
	c := &compiler{table: table, draw: d, plain: plain, funcs: make(template.FuncMap),
		byName: make(map[string]function)}
	for _, f := range functions() {
		c.byName[f.name] = f
		c.funcs[f.name] = func(args ...any) (any, error) {
			for i := range args {
				if n, ok := args[i].(int); ok {
					args[i] = int64(n)
				}
			}
			made, err := f.make(args, c.table)
			if err != nil {
				return nil, err
			}
			return made.value(c.draw), nil
		}
	}
	return c
}

// compile makes a template ready.
func (c *compiler) compile(what, source string) (text, error) {
	if c.plain || !strings.Contains(source, "{{") {
		return text{constant: source}, nil
	}
	tmpl, err := template.New(what).Option("missingkey=error").Funcs(c.funcs).Parse(source)
	if err != nil {
		return text{}, fmt.Errorf("%w; a {{ that is not a template is written {{\"{{\"}}, or give --no-templates", err)
	}
	if tmpl.Tree == nil || tmpl.Root == nil { // only definitions
		return text{}, nil
	}
	pieces := []piece{}
	for _, node := range tmpl.Root.Nodes {
		p, err := c.piece(node)
		if errors.Is(err, errSlow) {
			return text{slow: tmpl}, nil
		}
		if err != nil {
			return text{}, fmt.Errorf("%s: %w", what, err)
		}
		pieces = append(pieces, p)
	}
	return text{pieces: pieces}, nil
}

// errSlow marks a node that only text/template can run.
var errSlow = errors.New("only text/template can run it")

// piece returns a node that is text, a column, or a call of one of our functions with constants.
func (c *compiler) piece(node parse.Node) (piece, error) {
	if t, ok := node.(*parse.TextNode); ok {
		return piece{constant: string(t.Text)}, nil
	}
	action, ok := node.(*parse.ActionNode)
	if !ok || len(action.Pipe.Decl) > 0 || len(action.Pipe.Cmds) != 1 {
		return piece{}, errSlow
	}
	args := action.Pipe.Cmds[0].Args
	switch head := args[0].(type) {
	case *parse.FieldNode:
		if len(head.Ident) != 1 || len(args) > 1 {
			return piece{}, errSlow
		}
		f, err := columnField(head.Ident[0], c.table)
		return piece{field: f}, err
	case *parse.IdentifierNode:
		f, ours := c.byName[head.Ident]
		values, constant := constants(args[1:])
		if !ours || !constant {
			return piece{}, errSlow
		}
		made, err := f.make(values, c.table)
		return piece{field: made}, err
	}
	return piece{}, errSlow
}

// constants returns the values of arguments that are whole numbers and strings.
func constants(args []parse.Node) ([]any, bool) {
	values := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case *parse.NumberNode:
			if !a.IsInt {
				return nil, false
			}
			values[i] = a.Int64
		case *parse.StringNode:
			values[i] = a.Text
		default:
			return nil, false
		}
	}
	return values, true
}

// render appends the text for a draw.
func (t *text) render(dst []byte, d *draw) ([]byte, error) {
	switch {
	case t.slow != nil:
		return t.execute(dst, d)
	case t.pieces == nil:
		return append(dst, t.constant...), nil
	}
	for i := range t.pieces {
		switch p := &t.pieces[i]; {
		case p.field.number != nil:
			dst = strconv.AppendInt(dst, p.field.number(d), 10)
		case p.field.text != nil:
			dst = append(dst, p.field.text(d)...)
		default:
			dst = append(dst, p.constant...)
		}
	}
	return dst, nil
}

// execute renders by text/template.
func (t *text) execute(dst []byte, d *draw) ([]byte, error) {
	columns := make(map[string]string, len(d.row))
	for i, v := range d.row {
		columns[d.table.Columns[i]] = v
	}
	out := limitedBuffer{bytes.NewBuffer(dst)}
	if err := t.slow.Execute(&out, columns); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// A limitedBuffer takes maxRendered bytes at most.
type limitedBuffer struct{ *bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxRendered {
		return 0, fmt.Errorf("the template produces more than %d MiB: does it loop?", maxRendered>>20)
	}
	return b.Buffer.Write(p)
}
