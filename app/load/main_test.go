package load_test

import (
	"os"
	"testing"

	"github.com/gocasebook/casebook/internal/leaktest"
)

func TestMain(m *testing.M) {
	if os.Getenv(serverEnv) != "" {
		serve()
		return
	}
	os.Exit(leaktest.Check(m.Run(), "app/load.(*", "net/http.(*persistConn)"))
}
