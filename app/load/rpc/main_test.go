package rpc_test

import (
	"os"
	"testing"

	"github.com/gocasebook/casebook/internal/leaktest"
)

func TestMain(m *testing.M) {
	os.Exit(leaktest.Check(m.Run(), "google.golang.org/grpc/internal/transport", "app/load/rpc.(*"))
}
