package diagnose

import "testing"

// TestZombies: children that have ended and stay are a finding, a notice where nothing shows the line that starts them; a
// few of them, which are being waited for, are none, and neither are those that become fewer.
func TestZombies(t *testing.T) {
	for _, tt := range []struct{ before, now, least, most int }{
		{0, 3, 0, 0}, {9, 9, 0, 0}, {300, 20, 0, 0}, {20, 20, worthKnowing, capNotice}, {190, 286, capNotice, capNotice},
		{0, 100, capNotice, capNotice},
	} {
		use := beside()
		use.ZombiesBefore, use.Zombies = tt.before, tt.now
		score := 0
		for _, f := range Run(t.Context(), Input{Evidence: []Evidence{neighboursEvidence(t, use)}}, Options{}).Findings {
			if f.Kind == "child-unwaited" {
				score = f.Score
			}
		}
		if score < tt.least || score > tt.most {
			t.Errorf("%d, then %d: score %d, want %d to %d", tt.before, tt.now, score, tt.least, tt.most)
		}
	}
}
