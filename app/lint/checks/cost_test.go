package checks_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// BenchmarkCost has what the analyzers' texts cite: each mistake beside what is suggested in its place.
func BenchmarkCost(b *testing.B) {
	for _, c := range slices.Concat(buildCosts, textCosts, dataCosts, bufferCosts) {
		for _, way := range []struct {
			name string
			run  func()
		}{{"reported", c.reported}, {"instead", c.instead}} {
			b.Run(c.name+"/way="+way.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					way.run()
				}
			})
		}
	}
	b.Run("transport", benchmarkTransport)
	b.Run("readall", benchmarkReadAll)
}

// A cost is a mistake and what to do instead.
type cost struct {
	name              string
	reported, instead func()
}

const slug = `[^a-z0-9]+`

const page = `<ul>{{range .}}<li class="{{.ID}}"><a href="/orders/{{.ID}}">{{.Name}}</a></li>{{end}}</ul>`

type order struct{ ID, Name string }

var (
	slugs    = regexp.MustCompile(slug)
	pages    = template.Must(template.New("page").Parse(page))
	orders   = []order{{"a1", "tea"}, {"b2", "coffee"}}
	zone, _  = time.LoadLocation("Europe/Berlin")
	escaper  = strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;")
	kilobyte = bytes.Repeat([]byte("casebook "), 114)
	packers  = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}
	parts    = slices.Repeat([]string{"0123456789"}, 1000)
	keys     = func() (all []string) {
		for n := range 1000 {
			all = append(all, "user-"+strconv.Itoa(n))
		}
		return all
	}()
	sink   any
	length int
	same   bool
)

var buildCosts = []cost{
	{"regexp", func() { length = len(regexp.MustCompile(slug).ReplaceAllString("Tea & Coffee", "-")) },
		func() { length = len(slugs.ReplaceAllString("Tea & Coffee", "-")) }},
	{"template", func() { template.Must(template.New("page").Parse(page)).Execute(io.Discard, orders) },
		func() { pages.Execute(io.Discard, orders) }},
	{"build=zone", func() { l, _ := time.LoadLocation("Europe/Berlin"); sink = l }, func() { sink = zone }},
	{"build=replacer", func() {
		length = len(strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;").Replace("a < b"))
	}, func() { length = len(escaper.Replace("a < b")) }},
	{"build=gzip", func() { w := gzip.NewWriter(io.Discard); w.Write(kilobyte); w.Close() },
		func() {
			w := packers.Get().(*gzip.Writer)
			w.Reset(io.Discard)
			w.Write(kilobyte)
			w.Close()
			packers.Put(w)
		}},
	{"make", func() { b := make([]byte, 64<<10); sink = b }, func() { b := make([]byte, 1<<10); sink = b }},
}

var textCosts = []cost{
	{"concat", func() {
		s := ""
		for _, p := range parts {
			s = s + p
		}
		length = len(s)
	}, func() {
		var s strings.Builder
		for _, p := range parts {
			s.WriteString(p)
		}
		length = s.Len()
	}},
	{"stringbytes", func() { length = strings.Index(string(kilobyte), "absent") },
		func() { length = bytes.Index(kilobyte, []byte("absent")) }},
	{"split", func() { sink = strings.Split("127.0.0.1:8080", ":")[0] },
		func() { host, _, _ := strings.Cut("127.0.0.1:8080", ":"); sink = host }},
	{"fmt", func() { line = fmt.Appendf(line[:0], "%s=%d", "orders", len(keys)) },
		func() { line = strconv.AppendInt(append(append(line[:0], "orders"...), '='), int64(len(keys)), 10) }},
}

var (
	line     []byte
	byText   = map[string]int{"user-17:42": 1}
	byStruct = map[pair]int{{"user-17", 42}: 1}
	user, n  = "user-17", 42
	numbers  = make([]int, 1000)
)

type pair struct {
	user string
	n    int
}

var dataCosts = []cost{
	{"key", func() { length = byText[fmt.Sprintf("%s:%d", user, n)] }, func() { length = byStruct[pair{user, n}] }},
	{"key=concatenated", func() { length = byText[fmt.Sprintf("%s:%d", user, n)] },
		func() { length = byText[user+":"+strconv.Itoa(n)] }},
	{"maphint", func() { length = len(fill(make(map[string]int))) },
		func() { length = len(fill(make(map[string]int, len(keys)))) }},
	{"json", func() {
		var m map[string]any
		json.Unmarshal(document, &m)
		out, _ := json.Marshal(m)
		length = len(out)
	}, func() {
		var m map[string]json.RawMessage
		json.Unmarshal(document, &m)
		out, _ := json.Marshal(m)
		length = len(out)
	}},
	{"copy", func() {
		var o order
		text, _ := json.Marshal(orders[0])
		json.Unmarshal(text, &o)
		length = len(o.ID)
	}, func() {
		o := orders[0]
		length = len(o.ID)
	}},
	{"defer", func() {
		for range 1000 {
			defer func() { length++ }()
		}
	}, func() {
		for range 1000 {
			func() { defer func() { length++ }() }()
		}
	}},
	{"box", func() {
		for n := range numbers {
			sink = n + 1000
		}
	}, func() {
		for n := range numbers {
			length = n + 1000
		}
	}},
}

var (
	query, _ = url.Parse("http://shop/orders?from=2026-01-01&to=2026-02-01&limit=100")
	values   = query.Query()
	here     = net.IPv4(192, 168, 17, 42)
	there    = net.IPv4(192, 168, 17, 43)
	body     = bytes.Repeat(kilobyte, 300)
	scratch  = make([]byte, 32<<10)
	reused   bytes.Buffer
	small    = []byte(`{"ID":"a1","Name":"green tea"}`)
	decoded  order
)

// plain hides the ways by which a reader or a writer copies by itself.
type (
	plainReader struct{ io.Reader }
	plainWriter struct{ io.Writer }
)

var bufferCosts = []cost{
	{"copybuffer", func() { io.Copy(plainWriter{io.Discard}, plainReader{bytes.NewReader(kilobyte)}) },
		func() { io.CopyBuffer(plainWriter{io.Discard}, plainReader{bytes.NewReader(kilobyte)}, scratch) }},
	{"decoder", func() { json.NewDecoder(bytes.NewReader(small)).Decode(&decoded) },
		func() { json.Unmarshal(small, &decoded) }},
	{"query", func() { length = len(query.Query().Get("to")) }, func() { length = len(values.Get("to")) }},
	{"stringcompare", func() { same = here.String() == there.String() }, func() { same = here.Equal(there) }},
	{"readsize", func() { sink, _ = io.ReadAll(plainReader{bytes.NewReader(body)}) }, func() {
		b := make([]byte, len(body))
		io.ReadFull(plainReader{bytes.NewReader(body)}, b)
		sink = b
	}},
	{"append", func() {
		var out []int
		for _, n := range numbers {
			out = append(out, n+1)
		}
		sink = out
	}, func() {
		out := make([]int, 0, len(numbers))
		for _, n := range numbers {
			out = append(out, n+1)
		}
		sink = out
	}},
	{"buffer", func() {
		var b bytes.Buffer
		for range 10 {
			b.Write(kilobyte)
		}
		io.Discard.Write(b.Bytes())
	}, func() {
		reused.Reset()
		for range 10 {
			reused.Write(kilobyte)
		}
		io.Discard.Write(reused.Bytes())
	}},
}

func fill(m map[string]int) map[string]int {
	for i, k := range keys {
		m[k] = i
	}
	return m
}

// document is what services pass on: an envelope with a larger part that nobody looks at.
var document = func() []byte {
	lines := make([]map[string]any, 20)
	for i := range lines {
		lines[i] = map[string]any{"sku": keys[i], "count": i, "price": map[string]any{"amount": 9.5, "currency": "EUR"}}
	}
	text, _ := json.Marshal(map[string]any{"id": "a1", "customer": user, "lines": lines})
	return text
}()

// benchmarkTransport asks a TLS server on the loopback.
func benchmarkTransport(b *testing.B) {
	says := func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") }
	server := httptest.NewTLSServer(http.HandlerFunc(says))
	defer server.Close()
	get := func(b *testing.B, c *http.Client) {
		resp, err := c.Get(server.URL)
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	b.Run("way=reported", func(b *testing.B) {
		for b.Loop() {
			own := server.Client().Transport.(*http.Transport).Clone()
			get(b, &http.Client{Transport: own})
			own.CloseIdleConnections() // so that the benchmark does not run out of ports
		}
	})
	b.Run("way=instead", func(b *testing.B) {
		for b.Loop() {
			get(b, server.Client())
		}
	})
}

// benchmarkReadAll decodes bodies of three sizes.
func benchmarkReadAll(b *testing.B) {
	type body struct {
		Lines []struct {
			SKU   string
			Count int
		}
	}
	for _, times := range []int{1, 50, 2000} {
		lines := strings.Repeat(`{"sku":"user-17","count":42},`, 20*times)
		text := []byte(`{"lines":[` + strings.TrimSuffix(lines, ",") + `]}`)
		size := "size=" + strconv.Itoa(len(text))
		b.Run(size+"/way=reported", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var v body
				all, _ := io.ReadAll(bytes.NewReader(text))
				json.Unmarshal(all, &v)
			}
		})
		b.Run(size+"/way=instead", func(b *testing.B) {
			b.ReportAllocs()
			buffers := sync.Pool{New: func() any { return new(bytes.Buffer) }}
			for b.Loop() {
				var v body
				buf := buffers.Get().(*bytes.Buffer)
				buf.Reset()
				buf.ReadFrom(bytes.NewReader(text))
				json.Unmarshal(buf.Bytes(), &v)
				buffers.Put(buf)
			}
		})
		b.Run(size+"/way=decoder", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var v body
				json.NewDecoder(bytes.NewReader(text)).Decode(&v)
			}
		})
	}
}
