package main

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"time"
)

type Episode struct {
	GUID      string `xml:"guid"`
	Title     string `xml:"title"`
	Published string `xml:"pubDate"`
	Audio     struct {
		URL    string `xml:"url,attr"`
		Length int64  `xml:"length,attr"`
	} `xml:"enclosure"`
}

// fetcher reads feeds. Feeds are in XML: there is no other form of them.
type fetcher struct {
	client *http.Client
	newest int // how many episodes are of interest
}

// episodes reads the newest episodes of a feed, which stand first, and leaves the rest.
func (f *fetcher) episodes(ctx context.Context, url string) ([]Episode, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	res, err := f.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, res.Status)
	}
	list, err := f.read(res.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20)) // so that the connection can be used again
	return list, nil
}

func (f *fetcher) read(r io.Reader) ([]Episode, error) {
	list := make([]Episode, 0, f.newest)
	d := xml.NewDecoder(r)
	for len(list) < f.newest {
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if s, ok := t.(xml.StartElement); ok && s.Name.Local == "item" {
			var e Episode
			if err := d.DecodeElement(&e, &s); err != nil {
				return nil, err
			}
			list = append(list, e)
		}
	}
	return list, nil
}
