// Package sourceurl makes the URL of a line of source, on a code host or in an editor.
//
// The problem: a finding names a function, a file and a line, and its reader wants to see the line. Only the user knows
// where the code is, but the names come from a profile that anyone may have made. The approach: the user gives a
// template whose scheme and host are literal, and evidence only fills in escaped parts after them. Links to the
// standard library and to dependencies lead to the version that the build used.
//
// Limits: a path is relative to the main module, so the template must name the module's folder if that is not the root
// of the repository. A file of another module that was built from a neighbouring tree has a URL only in an editor.
package sourceurl

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A Template is an address with placeholders in braces. The zero Template makes no address.
type Template struct {
	text  string
	parts []part
}

// A part is literal text, or the name of a placeholder.
type part struct {
	text        string
	placeholder bool
}

// placeholders are what a template may name, in the order of the help.
var placeholders = [...]struct{ name, text string }{
	{"revision", "the build's revision, else its version"},
	{"path", "the file, relative to the folder of the main module"},
	{"file", "the file as the build recorded it, or in --source-dir"},
	{"line", "the line, from 1"},
	{"package", "the import path of the package"},
	{"module", "the path of the main module"},
	{"version", "the version of the main module"},
}

// Help lists the placeholders, one a line.
func Help() string {
	var b strings.Builder
	for _, p := range placeholders {
		fmt.Fprintf(&b, "  %-11s %s\n", "{"+p.name+"}", p.text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// web are the schemes that lead to a host; editors are those that open a program on the reader's machine.
var (
	web     = []string{"https", "http"}
	editors = []string{
		"vscode", "vscode-insiders", "vscodium", "cursor", "windsurf", "zed", "idea", "goland", "jetbrains", "subl",
		"txmt", "mvim", "emacs",
	}
)

// Parse reads a template such as "https://github.com/acme/shop/blob/{revision}/{path}#L{line}". The scheme must be
// http, https or an editor's, and nothing of scheme and host may be a placeholder: evidence must not choose where a
// link leads.
func Parse(text string) (Template, error) {
	t := Template{text: text}
	for rest := text; rest != ""; {
		open := strings.IndexAny(rest, "{}")
		if open < 0 {
			t.parts = append(t.parts, part{text: rest})
			break
		}
		if rest[open] == '}' {
			return Template{}, t.fail("a } without its { before it")
		}
		name, after, closed := strings.Cut(rest[open+1:], "}")
		if !closed {
			return Template{}, t.fail("{" + name + " has no }")
		}
		if !known(name) {
			return Template{}, t.fail("there is no placeholder {" + name + "}; there are " + names())
		}
		t.parts = append(t.parts, part{text: rest[:open]}, part{text: name, placeholder: true})
		rest = after
	}
	return t, t.check()
}

func (t Template) fail(why string) error {
	return fmt.Errorf("the source URL %q: %s", t.text, why)
}

func known(name string) bool { return strings.Contains(names()+",", "{"+name+"},") && name != "" }

func names() string {
	var out []string
	for _, p := range placeholders {
		out = append(out, "{"+p.name+"}")
	}
	return strings.Join(out, ", ")
}

// check holds the literal start of a template against what may be opened.
func (t Template) check() error {
	start := ""
	if len(t.parts) > 0 && !t.parts[0].placeholder {
		start = t.parts[0].text
	}
	scheme, rest, ok := strings.Cut(start, "://")
	scheme = strings.ToLower(scheme)
	switch {
	case !ok:
		return t.fail("it must begin with a scheme, for instance " +
			"https://github.com/acme/shop/blob/{revision}/{path}#L{line}")
	case slices.Contains(editors, scheme):
		return t.checkRest(rest != "")
	case !slices.Contains(web, scheme):
		return t.fail(scheme + ":// is not allowed; http, https and the schemes of editors are: " +
			strings.Join(editors, ", "))
	case !strings.Contains(rest, "/"):
		return t.fail("the host and the / after it must come before the first placeholder: evidence must not choose " +
			"the host")
	}
	u, err := url.Parse(start)
	if err != nil || u.Host == "" || u.User != nil {
		return t.fail("it must have a host and no password")
	}
	return t.checkRest(true)
}

// checkRest returns what all schemes have in common.
func (t Template) checkRest(rooted bool) error {
	switch {
	case !rooted:
		return t.fail("there must be something between :// and the first placeholder, for instance " +
			"vscode://file/{file}:{line}")
	case !t.names("path") && !t.names("file"):
		return t.fail("it has neither {path} nor {file}: every link would be the same")
	case strings.ContainsFunc(t.text, func(r rune) bool {
		return r <= ' ' || r == 0x7f ||
			strings.ContainsRune("\"'<>`\\", r)
	}):
		return t.fail("it has a space, a quote, a backslash or another character that a URL may not have")
	}
	return nil
}

// names reports whether the template has a placeholder.
func (t Template) names(name string) bool { return slices.Contains(t.parts, part{name, true}) }

// IsZero reports whether there is no template.
func (t Template) IsZero() bool { return len(t.parts) == 0 }

// editorLinks are the addresses that open a line in an editor.
var editorLinks = [...]struct{ name, address string }{
	{"vscode", "vscode://file/{file}:{line}"},
	{"cursor", "cursor://file/{file}:{line}"},
	{"idea", "idea://open?file=/{file}&line={line}"},
	{"goland", "goland://open?file=/{file}&line={line}"},
	{"zed", "zed://file/{file}:{line}"},
}

// Editors returns the names that Editor knows.
func Editors() []string {
	var out []string
	for _, e := range editorLinks {
		out = append(out, e.name)
	}
	return out
}

// Editor returns the template that opens files in an editor.
func Editor(name string) (Template, error) {
	for _, e := range editorLinks {
		if e.name == strings.ToLower(name) {
			return Parse(e.address)
		}
	}
	return Template{},
		fmt.Errorf("unknown editor %q; known are %s; for others give the URL with --source-url, for instance "+
			"subl://open?url=file:///{file}&line={line}", name, strings.Join(Editors(), ", "))
}

// fill makes the address of values by placeholder; "" when one is empty or has a "..". Values are escaped segment by
// segment: none can leave its place in the address. LineMark is the place of the line.
func (t Template) fill(value func(name string) string) string {
	var b strings.Builder
	for _, p := range t.parts {
		if !p.placeholder {
			b.WriteString(p.text)
			continue
		}
		if p.text == "line" {
			b.WriteString(LineMark)
			continue
		}
		v := value(p.text)
		if v == "" || climbs(v) {
			return ""
		}
		if strings.HasSuffix(b.String(), "/") { // "vscode://file/" and "/srv/shop/main.go"
			v = strings.TrimLeft(v, "/")
		}
		b.WriteString(escape(v))
	}
	return b.String()
}

// escape leaves what RFC 3986 calls unreserved, and / : @ , which are allowed in any path and any query.
func escape(v string) string {
	var b strings.Builder
	for i := range len(v) {
		c := v[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~/:@", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
