package targets

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/app/openfile"
)

// Parse reads targets in one of two formats; the first character says which.
//
// Vegeta's http format: a line "METHOD URL", lines of headers "Name: value", and optionally the file of the body,
// "@path"; an empty line ends a target. Lines that begin with # are skipped. A path that is not found from the working
// directory, as vegeta looks for it, is looked for next to the file, in dir.
//
// JSON lines: {"method": "POST", "url": "…", "header": {"Name": ["value"]}, "body": "…"}, with the body in base64, as
// vegeta has it; in its place "text" is the body as it is, and "json" a JSON value. A header may be a plain string.
// Unknown fields are errors.
func Parse(r io.Reader, dir string) ([]Target, error) {
	p := &parser{dir: dir, scanner: bufio.NewScanner(r)}
	p.scanner.Buffer(nil, maxLine)
	err := p.parse()
	switch {
	case errors.Is(p.scanner.Err(), bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d is longer than %d bytes: put the body into a file, as @path", p.line+1, maxLine)
	case p.scanner.Err() != nil:
		return nil, p.scanner.Err()
	case err != nil:
		return nil, fmt.Errorf("line %d: %w", p.line, err)
	case len(p.targets) == 0:
		return nil, errors.New("it has no targets: want lines like GET http://127.0.0.1:8080/")
	}
	return p.targets, nil
}

// A parser reads targets line by line.
type parser struct {
	dir     string
	scanner *bufio.Scanner
	line    int
	targets []Target
	bytes   int // of all bodies
	open    bool
}

func (p *parser) parse() error {
	for p.scanner.Scan() {
		p.line++
		text := strings.TrimSpace(strings.TrimPrefix(p.scanner.Text(), "\ufeff"))
		if err := p.take(text); err != nil {
			return err
		}
	}
	return nil
}

// take reads one line.
func (p *parser) take(text string) error {
	switch {
	case text == "":
		p.open = false
		return nil
	case text[0] == '#':
		return nil
	case text[0] == '{':
		p.open = false
		return p.object(text)
	case p.open && text[0] == '@':
		return p.bodyFile(text[1:])
	case p.open && !isRequestLine(text):
		return p.header(text)
	}
	method, url, ok := strings.Cut(text, " ")
	if !ok {
		return fmt.Errorf("%.60q is not a target: want METHOD URL, a header below one, or a JSON object", text)
	}
	p.open = true
	return p.add(Target{Method: method, URL: strings.TrimSpace(url)})
}

// isRequestLine distinguishes "GET http://…" from a header below a target: the first word is a method, and a URL comes
// after it.
func isRequestLine(text string) bool {
	method, url, ok := strings.Cut(text, " ")
	url = strings.TrimSpace(url)
	return ok && token(method) && (strings.Contains(url, "://") || strings.HasPrefix(url, "/") ||
		strings.HasPrefix(url, "{{"))
}

func (p *parser) add(t Target) error {
	if len(p.targets) == maxTargets {
		return fmt.Errorf("more than %d targets: use templates with a CSV file instead", maxTargets)
	}
	if p.bytes += len(t.Body); p.bytes > maxAllBodies {
		return fmt.Errorf("the bodies take more than %d MiB: use fewer targets", maxAllBodies>>20)
	}
	t.Line = p.line
	if t.Header == nil {
		t.Header = make(http.Header)
	}
	p.targets = append(p.targets, t)
	return nil
}

func (p *parser) header(text string) error {
	name, value, err := ParseHeader(text)
	if err != nil {
		return err
	}
	p.targets[len(p.targets)-1].Header.Add(name, value)
	return nil
}

// ParseHeader reads "Name: value".
func ParseHeader(text string) (name, value string, err error) {
	name, value, ok := strings.Cut(text, ":")
	if !ok || !token(name) {
		return "", "", fmt.Errorf("%.60q is not a header: want Name: value", text)
	}
	return name, strings.TrimSpace(value), nil
}

func (p *parser) bodyFile(path string) error {
	body, err := ReadBody(path, p.dir)
	if err != nil {
		return err
	}
	if p.bytes += len(body); p.bytes > maxAllBodies {
		return fmt.Errorf("the bodies take more than %d MiB: use fewer targets", maxAllBodies>>20)
	}
	p.targets[len(p.targets)-1].Body = body
	return nil
}

// ReadBody reads the file of a body, from the working directory or from dir.
func ReadBody(path, dir string) ([]byte, error) {
	f, err := openfile.Open(path)
	if errors.Is(err, os.ErrNotExist) && !filepath.IsAbs(path) {
		if near, nearErr := openfile.Open(filepath.Join(dir, path)); nearErr == nil {
			f, err = near, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the body: %w", err)
	}
	defer f.Close() // it was only read
	body, err := io.ReadAll(io.LimitReader(f, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("reading the body: %w", err)
	}
	if len(body) > maxBody {
		return nil, fmt.Errorf("the body %s is larger than %d MiB: use a smaller one", path, maxBody>>20)
	}
	return body, nil
}

// A line is a target as JSON.
type line struct {
	Method string               `json:"method"`
	URL    string               `json:"url"`
	Header map[string]oneOrMore `json:"header"`
	Body   []byte               `json:"body"`
	Text   *string              `json:"text"`
	JSON   json.RawMessage      `json:"json"`
}

// oneOrMore is a string or several.
type oneOrMore []string

func (s *oneOrMore) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*s = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(s))
}

// object reads a target that is a JSON object on a line.
func (p *parser) object(text string) error {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	var l line
	if err := dec.Decode(&l); err != nil {
		if strings.Contains(err.Error(), "illegal base64") {
			return fmt.Errorf("%w: body is base64, as in vegeta; or give text or json instead of body", err)
		}
		return fmt.Errorf("%w; want one JSON object per line, with method, url, header, and body, text or json", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something comes after the JSON object: want one per line")
	}
	t := Target{Method: l.Method, URL: l.URL, Header: make(http.Header), Body: l.Body}
	given := 0
	for _, is := range []bool{l.Body != nil, l.Text != nil, l.JSON != nil} {
		if is {
			given++
		}
	}
	if given > 1 {
		return errors.New("it has several bodies: give one of body (base64), text and json")
	}
	if l.Text != nil {
		t.Body = []byte(*l.Text)
	}
	if l.JSON != nil {
		t.Body = l.JSON
	}
	for name, values := range l.Header {
		for _, v := range values {
			t.Header.Add(name, v)
		}
	}
	if l.JSON != nil && t.Header.Get("Content-Type") == "" {
		t.Header.Set("Content-Type", "application/json")
	}
	if t.Method == "" {
		t.Method = http.MethodGet
	}
	return p.add(t)
}
