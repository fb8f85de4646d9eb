package diagnose

import (
	"strings"
	"testing"
)

// TestBatchSize: a remedy says the sizes that the evidence counts, and none that it does not.
func TestBatchSize(t *testing.T) {
	for _, c := range []struct {
		name               string
		size               batchSize
		ofRequest, ofAll   string // a part of the text; "": none
		betweenRequestsToo bool
	}{
		{"nothing is known", batchSize{}, "", "", true},
		{"of a request alone", batchSize{each: 24}, "makes 24 of", "", true},
		{"all is known", batchSize{each: 24, requests: 200, took: 0.003}, "makes 24 of",
			"about 24 come in the 3 ms of an exchange and 2 ms, the default of MaxDelay: MaxItems: 64", true},
		{"how long is not known", batchSize{each: 10, requests: 500}, "makes 10 of",
			"about 10 come in 2 ms, the default of MaxDelay: MaxItems: 32", true},
		{"requests come one by one", batchSize{each: 24, requests: 4, took: 0.003}, "makes 24 of", "", false},
		{"one a request, in many requests", batchSize{each: 1, requests: 2000, took: 0.001}, "", "about 6 come", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, said := range []struct{ what, got, want string }{
				{"of a request", c.size.ofRequest(), c.ofRequest}, {"of all", c.size.ofAll(), c.ofAll},
			} {
				if !strings.Contains(said.got, said.want) || said.want == "" && said.got != "" {
					t.Errorf("%s it says %q, want %q", said.what, said.got, said.want)
				}
			}
			if c.size.shared() != c.betweenRequestsToo {
				t.Errorf("shared among requests: %v, want %v", c.size.shared(), c.betweenRequestsToo)
			}
		})
	}
}
