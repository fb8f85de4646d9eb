package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/gocasebook/casebook/internal/built"
)

// The keys of the gateway's owner. A store reads them from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
const (
	GatewayUser   = "casebook"
	GatewaySecret = "only-for-tests"

	gatewayRegion = "us-east-1"
)

// ErrNoProxy says that the gateway could not be built because its modules are not available.
var ErrNoProxy = errors.New("the module proxy does not answer, and the modules of the S3 gateway are not on this " +
	"machine")

// Gateway is Versity's S3 gateway over a folder.
type Gateway struct {
	dir, addr string
	cmd       *exec.Cmd
	said      bytes.Buffer

	mu   sync.Mutex // guards made
	made int        // buckets
}

// StartGateway builds the gateway in its own module, app/store/testdata/gateway, and starts it over a folder of its own.
// Within a run of internal/tests/suite it is built once.
func StartGateway(module string) (*Gateway, error) {
	dir, err := os.MkdirTemp("", "casebook-s3-")
	if err != nil {
		return nil, err
	}
	g := &Gateway{dir: dir}
	err = g.build(module)
	if err == nil {
		err = errors.Join(os.Mkdir(g.data(), 0o700), os.Mkdir(g.meta(), 0o700))
	}
	if err == nil {
		g.addr, _, err = freeAddress()
	}
	if err == nil {
		err = g.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return g, nil
}

func (g *Gateway) binary() string { return filepath.Join(g.dir, "gateway") }
func (g *Gateway) data() string   { return filepath.Join(g.dir, "data") }
func (g *Gateway) meta() string   { return filepath.Join(g.dir, "meta") }

func (g *Gateway) build(module string) error {
	module, err := filepath.Abs(module)
	if err != nil {
		return err
	}
	err = built.Program(g.binary(), ".", []string{"GOWORK=off"}, "-C", module)
	if err == nil {
		return nil
	}
	for _, sign := range []string{"dial tcp", "no such host", "GOPROXY=off", "403 Forbidden", "connection refused"} {
		if strings.Contains(err.Error(), sign) {
			return fmt.Errorf("%w:\n%w", ErrNoProxy, err)
		}
	}
	return fmt.Errorf("the S3 gateway: %w", err)
}

// Start runs the gateway and waits until it answers. Its metadata are files beside the objects, because not every file
// system has attributes.
func (g *Gateway) Start() error {
	g.cmd = exec.Command(g.binary(), g.addr, gatewayRegion, g.meta(), g.data())
	g.cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+GatewayUser, "ROOT_SECRET_KEY="+GatewaySecret)
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	g.cmd.Stdout, g.cmd.Stderr = &g.said, &g.said
	if err := g.cmd.Start(); err != nil {
		return err
	}
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		resp, err := http.Get("http://" + g.addr + "/")
		if err == nil {
			return resp.Body.Close() // whatever it says: it answers
		}
		if time.Now().After(end) {
			g.Stop()
			return fmt.Errorf("the S3 gateway did not answer within %s: %w\n%s", patience, err, g.said.String())
		}
	}
}

// Bucket makes an empty bucket and returns its address, as Config.Blobs has it.
func (g *Gateway) Bucket(ctx context.Context) (address string, err error) {
	g.mu.Lock()
	g.made++
	name := fmt.Sprintf("cases-%d", g.made)
	g.mu.Unlock()
	c, err := minio.New(g.addr, &minio.Options{Creds: credentials.NewStaticV4(GatewayUser, GatewaySecret, ""),
		Region: gatewayRegion})
	if err != nil {
		return "", err
	}
	err = c.MakeBucket(ctx, name, minio.MakeBucketOptions{Region: gatewayRegion})
	return "s3://" + name + "/team?region=" + gatewayRegion + "&endpoint=http://" + g.addr, err
}

// Stop kills the gateway.
func (g *Gateway) Stop() {
	_ = g.cmd.Process.Kill()
	_ = g.cmd.Wait()
}

// Freeze stops the process without ending it: connections stay, and nobody answers. Thaw lets it go on.
func (g *Gateway) Freeze() error { return g.cmd.Process.Signal(syscall.SIGSTOP) }

// Thaw is Freeze's other direction.
func (g *Gateway) Thaw() error { return g.cmd.Process.Signal(syscall.SIGCONT) }

// Close kills the gateway and removes its data.
func (g *Gateway) Close() error {
	g.Stop()
	return os.RemoveAll(g.dir)
}
