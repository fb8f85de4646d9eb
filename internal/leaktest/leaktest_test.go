package leaktest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/leaktest"
)

func stay(until chan struct{}) { <-until }

func TestLeft(t *testing.T) {
	until := make(chan struct{})
	go stay(until)
	for !strings.Contains(leaktest.Left(0, "leaktest_test.stay"), "chan receive") {
		time.Sleep(time.Millisecond) // until it is parked
	}
	if left := leaktest.Left(0, "no/such.function"); left != "" {
		t.Errorf("found without the word:\n%s", left)
	}
	if left := leaktest.Left(0, "leaktest_test.TestLeft("); left != "" {
		t.Errorf("the caller itself counts:\n%s", left)
	}
	close(until)
	if left := leaktest.Left(time.Minute, "leaktest_test.stay"); left != "" {
		t.Errorf("did not wait for the end:\n%s", left)
	}
}

func TestCheckKeepsTheCode(t *testing.T) {
	until := make(chan struct{})
	defer close(until)
	go stay(until)
	if got := leaktest.Check(3, "leaktest_test.stay"); got != 3 {
		t.Errorf("a run that failed with 3 ends with %d", got)
	}
	if got := leaktest.Check(0, "no/such.function"); got != 0 {
		t.Errorf("a clean run ends with %d", got)
	}
}
