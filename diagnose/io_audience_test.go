package diagnose

import "testing"

// TestAudience: many connections explain many writes only where each may get one of them.
func TestAudience(t *testing.T) {
	asked := &traffic{asked: 1}
	for _, tt := range []struct {
		name  string
		a     audience
		p     *pieces
		times float64
		want  bool
	}{
		{"a chat of 120", audience{peers: 124}, &pieces{traffic: asked}, 58, true},
		{"the same, where each read finds something", audience{peers: 124}, &pieces{traffic: asked}, 119, true},
		{"lines of an answer to each of 32", audience{peers: 35}, &pieces{traffic: asked}, 60, false},
		{"one connection", audience{peers: 1}, &pieces{traffic: asked}, 60, false},
		{"a feed that nobody asks", audience{peers: 100, web: 2}, &pieces{traffic: &traffic{}}, 1500, true},
		{"a feed beside an HTTP server", audience{peers: 100, web: 60},
			&pieces{traffic: &traffic{counts: ioCounts{reads: 4000}}}, 1500, true},
		{"counters to one server", audience{peers: 4, web: 60}, &pieces{traffic: &traffic{}}, 340, false},
		{"many a request, to few", audience{peers: 10}, &pieces{traffic: &traffic{}, request: 1}, 40, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.a.explains(tt.p, tt.times); got != tt.want {
				t.Errorf("explains is %v, want %v", got, tt.want)
			}
		})
	}
}
