package replay

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// Bounds on input.
const (
	maxLine = 1 << 20   // of a log
	maxHAR  = 256 << 20 // a HAR file is one JSON value
)

// read recognises what a source is by how it begins.
func read(r io.Reader, s *sampler) error {
	in := bufio.NewReaderSize(r, 64<<10)
	if begin, _ := in.Peek(2); bytes.Equal(begin, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("it begins like gzip: %w", err)
		}
		defer z.Close()
		in = bufio.NewReaderSize(z, 64<<10)
	}
	begin, err := in.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if isHAR(begin) {
		return readHAR(in, s)
	}
	return readLines(in, s)
}

// isHAR tells an HTTP archive from JSON lines: its first member is "log", and the first member of that is on another
// line or an object.
func isHAR(begin []byte) bool {
	return regexp.MustCompile(`^\s*(\x{feff})?\s*\{\s*"log"\s*:\s*\{`).Match(begin)
}

// readLines reads a log, whose lines may be text or JSON.
func readLines(in *bufio.Reader, s *sampler) error {
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			line, err = longLine(in, bytes.Clone(line))
		}
		if text := bytes.TrimSpace(line); len(text) > 0 && text[0] != '#' {
			if r, ok := ofLine(text); ok {
				s.add(r)
			} else {
				s.Left["lines without a request"]++
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// longLine is the rest of a line that is longer than the reader's buffer; what is beyond maxLine is lost.
func longLine(in *bufio.Reader, line []byte) ([]byte, error) {
	for {
		more, err := in.ReadSlice('\n')
		if len(line) < maxLine {
			line = append(line, more...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func ofLine(line []byte) (Request, bool) {
	if line[0] == '{' {
		return ofJSON(line)
	}
	return ofText(line)
}

// quoted matches the request line that nginx, Apache, Envoy, HAProxy, Traefik and load balancers put into quotes.
var quoted = regexp.MustCompile(`"([A-Z]{3,12}) (\S+)(?: HTTP/[0-9.]+)?"`)

// Times of logs: in brackets, as the common log format has it, or RFC 3339 somewhere before the request.
var (
	bracketed = regexp.MustCompile(`\[(\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\]`)
	iso       = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?`)
)

// ofText reads a line of an access log.
func ofText(line []byte) (Request, bool) {
	m := quoted.FindSubmatchIndex(line)
	if m == nil {
		return Request{}, false
	}
	r := Request{Method: string(line[m[2]:m[3]]), Bodiless: true}
	r.URL, r.Host = pathOf(unquote(string(line[m[4]:m[5]])))
	if t := bracketed.FindSubmatch(line); t != nil {
		r.Time, _ = time.Parse("02/Jan/2006:15:04:05 -0700", string(t[1])) // zero is not known
	} else if t := iso.Find(line[:m[0]]); t != nil {
		r.Time = parseTime(string(t))
	}
	return r, r.URL != ""
}

// unquote undoes how nginx writes quotes and what is not ASCII: \x22. Such a target was sent as it is.
func unquote(target string) string {
	if !strings.Contains(target, `\x`) {
		return target
	}
	return regexp.MustCompile(`\\x([0-9A-Fa-f]{2})`).ReplaceAllString(target, "%$1")
}

var layouts = [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999-0700", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", "02/Jan/2006:15:04:05 -0700", time.RFC1123}

func parseTime(text string) time.Time {
	text = strings.Replace(text, ",", ".", 1)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// The names that members have in logs of JSON, in lower case, the likeliest first: those of package middleware and of
// vegeta, nginx with its usual formats, Caddy (in "request"), Traefik, Envoy, OpenTelemetry, and loggers of Go services.
var (
	methodNames = []string{"method", "request_method", "requestmethod", "http_method", "http.method",
		"http.request.method", "verb"}
	urlNames = []string{"url", "uri", "request_uri", "requesturi", "path", "requestpath", "http.target", "url.path", "target",
		"http_path", "x-envoy-original-path"}
	queryNames = []string{"query", "args", "query_string", "url.query"}
	hostNames  = []string{"host", "requesthost", "http_host", "authority", "server_name", "http.host", "server.address"}
	timeNames  = []string{"time", "ts", "timestamp", "@timestamp", "starttime", "start_time", "startutc", "time_iso8601",
		"time_local", "msec", "date"}
)

// ofJSON reads a line of JSON.
func ofJSON(line []byte) (Request, bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) != nil {
		return Request{}, false
	}
	all := lower(members)
	for _, nested := range []string{"request", "req", "http", "httprequest"} { // Caddy, pino, ECS, Google
		var inner map[string]json.RawMessage
		if json.Unmarshal(all[nested], &inner) == nil {
			for name, v := range lower(inner) {
				all[name] = v
			}
		}
	}
	r := Request{Method: strings.ToUpper(member(all, methodNames)), Bodiless: true}
	target := member(all, urlNames)
	if r.Method == "" { // "request": "GET /items HTTP/1.1"
		if m := quoted.FindStringSubmatch(`"` + member(all, []string{"request", "request_line"}) + `"`); m != nil {
			r.Method, target = m[1], m[2]
		}
	}
	r.URL, r.Host = pathOf(target)
	if query := member(all, queryNames); query != "" && query != "-" && !strings.Contains(r.URL, "?") {
		r.URL += "?" + strings.TrimPrefix(query, "?")
	}
	if r.Host == "" {
		r.Host = member(all, hostNames)
	}
	for _, name := range timeNames {
		if r.Time = timeOf(all[name]); !r.Time.IsZero() {
			break
		}
	}
	r.sample(all)
	return r, r.URL != "" && r.Method != ""
}

// sample reads what samples of package middleware, and vegeta's targets, have beside: headers and a body.
func (r *Request) sample(all map[string]json.RawMessage) {
	var header http.Header
	if json.Unmarshal(all["header"], &header) != nil {
		return
	}
	r.Header = header
	var whole bool
	if json.Unmarshal(all["whole"], &whole) == nil {
		r.Bodiless = !whole
	} else if _, has := all["body"]; has {
		r.Bodiless = false
	}
	_ = json.Unmarshal(all["body"], &r.Body) // without one it stays empty
}

func lower(members map[string]json.RawMessage) map[string]json.RawMessage {
	all := make(map[string]json.RawMessage, len(members))
	for name, v := range members {
		all[strings.ToLower(name)] = v
	}
	return all
}

// member is the first text that there is under a name.
func member(all map[string]json.RawMessage, names []string) string {
	for _, name := range names {
		var text string
		if json.Unmarshal(all[name], &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

// timeOf reads a text, or seconds, milliseconds, microseconds or nanoseconds since 1970, which differ by a thousand.
func timeOf(v json.RawMessage) time.Time {
	var text string
	if json.Unmarshal(v, &text) == nil {
		if t := parseTime(text); !t.IsZero() {
			return t
		}
		v = json.RawMessage(text)
	}
	var n float64
	if json.Unmarshal(v, &n) != nil || n < 1e8 {
		return time.Time{}
	}
	for n > 1e11 { // seconds until the year 5138
		n /= 1000
	}
	return time.UnixMicro(int64(n * 1e6)).UTC()
}
