package foreign

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// TestTable: every service can be judged, and every pace, place and load is one that the code knows.
func TestTable(t *testing.T) {
	table, err := Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range table.Services {
		if s.Done == "" || s.About == "" || len(s.Load) == 0 && !table.Programs[s.Program].LoadsItself || s.Window() <= 0 {
			t.Errorf("%s: it is not said what is done, or for how long", s.Name)
		}
		if !s.Healthy && (s.Certain <= s.Ill || s.Why == "" || (len(s.Kinds) == 0 || s.Says == "") && s.Rule == "") {
			t.Errorf("%s: it is not said when it is certain and what is to be found", s.Name)
		}
		for _, text := range []string{s.Says, s.Never} {
			if _, err := regexp.Compile(text); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
		for _, l := range s.Load {
			if _, err := load.ParseSchedule(l.Pace); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
	}
}

// TestBehind: the DNS server answers a question as a resolver expects, and when it should be silent, it is.
func TestBehind(t *testing.T) {
	b, err := Behind{After: 1, ThenSilent: true}.start()
	if err != nil {
		t.Fatal(err)
	}
	defer b.stop()
	addr := b.dns.LocalAddr().String()
	if got := ask(addr, 7, "host.example.com", true)(t.Context()); got.Class != load.ClassOK {
		t.Errorf("asked, and got %+v", got)
	}
	b.begin()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if got := ask(addr, 8, "host.example.com", false)(ctx); got.Class != load.ClassTimeout {
		t.Errorf("asked who is silent, and got %+v", got)
	}
}

// TestDNSAnswer: what is not a question gets no answer.
func TestDNSAnswer(t *testing.T) {
	for _, query := range [][]byte{nil, make([]byte, 5), dnsQuery(1, "a.b", false)[:14],
		{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255}} {
		if got := dnsAnswer(query); got != nil {
			t.Errorf("%v is answered with %v", query, got)
		}
	}
}
