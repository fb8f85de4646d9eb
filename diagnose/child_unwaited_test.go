package diagnose

import "testing"

// TestZombies: children that have ended and stay are a finding, with a warning where they come, and a notice where
// nothing shows the line that starts them; a few of them, which are being waited for, are none, and neither are those
// that become fewer.
func TestZombies(t *testing.T) {
	starts := Evidence{Name: "heap.pb.gz", Data: framesProfile(t, heapTypes(), map[string]int64{
		"os/exec.(*Cmd).Start|/usr/local/go/src/os/exec/exec.go main.run|/src/main.go": 1 << 20})}
	for _, tt := range []struct {
		before, now, least, most int
		evidence                 []Evidence // that shows the line
	}{
		{0, 3, 0, 0, nil}, {9, 9, 0, 0, nil}, {300, 20, 0, 0, nil}, {20, 20, worthKnowing, capNotice, nil},
		{190, 286, capNotice, capNotice, nil}, {0, 100, capNotice, capNotice, nil},
		{20, 20, worthKnowing, capNotice, []Evidence{starts}}, {190, 286, capUnsure, 100, []Evidence{starts}},
		{0, 100, capNotice, capUnsure, []Evidence{starts}},
	} {
		use := beside()
		use.ZombiesBefore, use.Zombies = tt.before, tt.now
		score := 0
		evidence := append(tt.evidence, neighboursEvidence(t, use))
		for _, f := range Run(t.Context(), Input{Evidence: evidence}, Options{}).Findings {
			if f.Kind == "child-unwaited" {
				score = f.Score
			}
		}
		if score < tt.least || score > tt.most {
			t.Errorf("%d, then %d: score %d, want %d to %d", tt.before, tt.now, score, tt.least, tt.most)
		}
	}
}
