// Package cpu_xml answers with the title of the newest entry of a feed.
//
// The fault: the whole feed is decoded for every request.
package cpu_xml

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"

	"github.com/gocasebook/casebook/lab/faults"
)

// Feeds answers from a feed.
type Feeds struct {
	feed  []byte
	title func(feed []byte) (string, error)
}

type feed struct {
	Entries []struct {
		Title   string   `xml:"title"`
		Link    string   `xml:"link"`
		Authors []string `xml:"author"`
	} `xml:"entry"`
}

func newFeeds(entries int, title func([]byte) (string, error)) *Feeds {
	var b bytes.Buffer
	b.WriteString("<feed>")
	for i := range entries {
		fmt.Fprintf(&b,
			"<entry><title>Notice "+
				"%d</title><link>https://example.org/%d</link><author>Ada</author><author>Charles</author></entry>\n",
			i, i)
	}
	b.WriteString("</feed>")
	return &Feeds{b.Bytes(), title}
}

// ServeHTTP answers with the title.
func (f *Feeds) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	t, err := f.title(f.feed)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	io.WriteString(w, t)
}

func decodeAll(b []byte) (string, error) {
	var f feed
	if err := xml.Unmarshal(b, &f); err != nil {
		return "", err
	}
	return f.Entries[0].Title, nil
}

// decodeFirst ends at the first title.
func decodeFirst(b []byte) (string, error) {
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		t, err := d.Token()
		if err != nil {
			return "", err
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "title" {
			var s string
			err := d.DecodeElement(&s, &e)
			return s, err
		}
	}
}

func service(n int, title func([]byte) (string, error), perSecond float64) faults.Service {
	return faults.Service{Handler: newFeeds(n, title), Load: []faults.Call{{Path: "/newest", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-xml", Text: "a whole feed is decoded for the title of its first entry",
		Culprit:  "cpu_xml.decodeAll",
		Faulty:   func() faults.Service { return service(60, decodeAll, 500) },
		Repaired: func() faults.Service { return service(60, decodeFirst, 500) },
		Limit:    func() faults.Service { return service(12, decodeAll, 400) },
	}
}
