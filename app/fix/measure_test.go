package fix

import (
	"testing"

	"github.com/gocasebook/casebook/app/gate"
)

// TestVerdict: time and CPU decide, then garbage; memory and the tail never do.
func TestVerdict(t *testing.T) {
	sure := func(figure string, rise bool) gate.Judgement {
		return gate.Judgement{Figure: figure, Limit: gate.Limit{Figure: figure, Rise: rise}, Outcome: gate.Fail}
	}
	doubt := gate.Judgement{Figure: "cpu", Outcome: gate.CannotTell}
	within := gate.Judgement{Figure: "cpu", Outcome: gate.Pass}
	for _, c := range []struct {
		name string
		js   []gate.Judgement
		want Verdict
	}{
		{"nothing moved", []gate.Judgement{within}, Same},
		{"nobody knows", []gate.Judgement{doubt}, Unclear},
		{"less CPU", []gate.Judgement{sure("cpu", false)}, Better},
		{"more CPU", []gate.Judgement{sure("cpu", true)}, Worse},
		{"less CPU, more garbage", []gate.Judgement{sure("cpu", false), sure("alloc_bytes", true)}, Better},
		{"less CPU, more goroutines", []gate.Judgement{sure("cpu", false), sure("goroutines", true)}, Worse},
		{"less garbage", []gate.Judgement{within, sure("allocs", false)}, Better},
		{"less garbage, and nobody knows the CPU", []gate.Judgement{doubt, sure("allocs", false)}, Better},
		{"more garbage", []gate.Judgement{within, sure("bytes", true)}, Worse},
		{"fewer allocations of more bytes", []gate.Judgement{sure("allocs", false), sure("bytes", true)}, Worse},
		{"less CPU, more memory", []gate.Judgement{sure("cpu", false), sure("rss", true)}, Better},
		{"less memory", []gate.Judgement{sure("rss", false)}, Same},
	} {
		if got := measurement(c.js, "").Verdict; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
