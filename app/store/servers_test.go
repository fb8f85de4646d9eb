package store

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/app/store/storetest"
)

// One PostgreSQL and one S3 gateway serve all tests of the package. Each test has a database and a bucket of its own.
var (
	postgresServer = sync.OnceValues(func() (*storetest.Postgres, error) {
		p, err := storetest.StartPostgres()
		postgresIs = p
		return p, err
	})
	gatewayServer = sync.OnceValues(func() (*storetest.Gateway, error) {
		g, err := storetest.StartGateway(filepath.Join("testdata", "gateway"))
		gatewayIs = g
		return g, err
	})

	// What was started, for stopServers.
	postgresIs *storetest.Postgres
	gatewayIs  *storetest.Gateway
)

// newDatabase returns the address of an empty database of a real server.
func newDatabase(t *testing.T) string {
	t.Helper()
	p, err := postgresServer()
	if err != nil {
		t.Fatal(err)
	}
	url, err := p.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// newBucket returns the address of an empty bucket of a real server. That server is 400 packages to compile: short tests
// have a folder instead.
func newBucket(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		return filepath.Join(t.TempDir(), "blobs")
	}
	g, err := gatewayServer()
	if errors.Is(err, storetest.ErrNoProxy) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	address, err := g.Bucket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", storetest.GatewayUser)
	t.Setenv("AWS_SECRET_ACCESS_KEY", storetest.GatewaySecret)
	return address
}

func stopServers() error {
	var errs []error
	if postgresIs != nil {
		errs = append(errs, postgresIs.Close())
	}
	if gatewayIs != nil {
		errs = append(errs, gatewayIs.Close())
	}
	return errors.Join(errs...)
}
