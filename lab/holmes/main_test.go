package holmes

import (
	"flag"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if isInside() {
		os.Exit(1)
	}
	flag.Parse()
	// The programs that run here sleep nearly all the time, so that the number of CPUs is no measure of how many may.
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
