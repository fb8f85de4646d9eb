package replay

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// An archive is what of an HTTP archive (HAR 1.2) is read.
type archive struct {
	Log struct {
		Entries []entry `json:"entries"`
	} `json:"log"`
}

type entry struct {
	Started time.Time `json:"startedDateTime"`
	Request struct {
		Method  string `json:"method"`
		URL     string `json:"url"`
		Headers []struct {
			Name  string `json:"name"`
			Value string `json:"value"`
		} `json:"headers"`
		PostData *struct {
			MimeType string `json:"mimeType"`
			Text     string `json:"text"`
		} `json:"postData"`
	} `json:"request"`
}

func readHAR(in io.Reader, s *sampler) error {
	var a archive
	bounded := &io.LimitedReader{R: in, N: maxHAR + 1}
	if err := json.NewDecoder(bounded).Decode(&a); err != nil {
		if bounded.N <= 0 {
			return fmt.Errorf("it is a HAR file of more than %d MiB: export fewer requests", maxHAR>>20)
		}
		return fmt.Errorf("it begins like a HAR file: %w", err)
	}
	slices.SortStableFunc(a.Log.Entries, func(x, y entry) int { return x.Started.Compare(y.Started) })
	for i := range a.Log.Entries {
		s.add(a.Log.Entries[i].request())
	}
	return nil
}

func (e *entry) request() Request {
	r := Request{Time: e.Started, Method: e.Request.Method, Header: make(http.Header)}
	r.URL, r.Host = pathOf(e.Request.URL)
	for _, h := range e.Request.Headers {
		r.Header.Add(h.Name, h.Value)
	}
	if e.Request.PostData != nil {
		r.Body = []byte(e.Request.PostData.Text)
		if r.Header.Get("Content-Type") == "" && e.Request.PostData.MimeType != "" {
			r.Header.Set("Content-Type", e.Request.PostData.MimeType)
		}
	}
	return r
}
