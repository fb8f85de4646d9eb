package casefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestStateRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cases")
	var got map[string]int
	if found, err := Dir(dir).LoadState("shop", &got); found || err != nil {
		t.Fatalf("LoadState of nothing = %v, %v; want false and no error", found, err)
	}
	for _, n := range []int{1, 2} {
		if err := Dir(dir).SaveState("http://h:6060/../x", map[string]int{"n": n}); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Dir(dir).LoadState("http://h:6060/../x", &got)
	if !found || err != nil || got["n"] != 2 {
		t.Errorf("LoadState = %v, %v with %v; want the second state", found, err, got)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || !strings.HasPrefix(files[0].Name(), statePrefix) {
		t.Errorf("the folder holds %v (%v), want one state", files, err)
	}
	if list, err := Dir(dir).List(); len(list) != 0 || err != nil {
		t.Errorf("List takes the state for a case: %v, %v", list, err)
	}
}

func TestStateDamaged(t *testing.T) {
	for name, data := range map[string][]byte{
		"cut":   []byte(`{"n":`),
		"huge":  make([]byte, maxState+1),
		"empty": nil,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, stateName("shop")), data, fileMode); err != nil {
				t.Fatal(err)
			}
			var got map[string]int
			found, err := Dir(dir).LoadState("shop", &got)
			if found || err == nil || !strings.Contains(err.Error(), "starts again") {
				t.Errorf("LoadState = %v, %v; want an error that says what happens now", found, err)
			}
			if err := Dir(dir).SaveState("shop", map[string]int{"n": 1}); err != nil {
				t.Errorf("a damaged state cannot be replaced: %v", err)
			}
		})
	}
}
