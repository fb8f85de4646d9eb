package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/app/store/storetest"
)

// A place is where a store is, empty at first.
type place struct {
	flags  []string
	remove func()
}

func (b *bench) newStore(ctx context.Context, kind string) (*place, error) {
	switch kind {
	case "sqlite":
		dir, err := os.MkdirTemp(b.dir, "bench-serve-*")
		return &place{[]string{"--store", filepath.Join(dir, "store")}, func() { _ = os.RemoveAll(dir) }}, err
	case "postgres":
		return b.teamStore(ctx)
	}
	return nil, fmt.Errorf("there is no store %q; stores are sqlite and postgres", kind)
}

func (b *bench) teamStore(ctx context.Context) (*place, error) {
	pg, err := storetest.StartPostgres()
	if err != nil {
		return nil, err
	}
	s3, err := storetest.StartGateway(b.gateway)
	if err != nil {
		return nil, errors.Join(err, pg.Close())
	}
	p := &place{remove: func() { _ = errors.Join(pg.Close(), s3.Close()) }}
	index, err1 := pg.Database(ctx)
	blobs, err2 := s3.Bucket(ctx)
	if err := errors.Join(err1, err2); err != nil {
		p.remove()
		return nil, err
	}
	p.flags = []string{"--store", index, "--blobs", blobs}
	return p, nil
}

// A process is `casebook serve`.
type process struct {
	url string
	cmd *exec.Cmd
	log chan struct{} // closed when all of its log was read
}

func startServer(casebook string, flags []string) (*process, error) {
	cmd := exec.Command(casebook, append([]string{"serve", "--addr", "127.0.0.1:0"}, flags...)...)
	cmd.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID="+storetest.GatewayUser,
		"AWS_SECRET_ACCESS_KEY="+storetest.GatewaySecret)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w; make build makes it", err)
	}
	p := &process{cmd: cmd, log: make(chan struct{})}
	at := make(chan string, 1)
	go func() {
		defer close(p.log)
		defer close(at)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			line := lines.Text()
			if address, ok := strings.CutPrefix(line, "Cases at "); ok {
				at <- strings.TrimSuffix(address, "/")
			} else if !strings.HasPrefix(line, "Sign in once: ") && !strings.Contains(line, "level=INFO") {
				fmt.Fprintln(os.Stderr, line)
			}
		}
	}()
	var ok bool
	if p.url, ok = <-at; !ok {
		return nil, errors.Join(errors.New("casebook serve ended"), cmd.Wait())
	}
	return p, nil
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	<-p.log
	_ = p.cmd.Wait()
}

// peak is the most memory that the process had (VmHWM of proc(5)), in bytes.
func (p *process) peak() (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	kb, err := strconv.ParseInt(strings.Fields(rest + " x")[0], 10, 64)
	return kb << 10, err
}

// cpu is how long the process has run, from fields 14 and 15 of proc(5)'s stat, in ticks of 10 ms.
func (p *process) cpu() (time.Duration, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest) // from field 3
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/PID/stat cannot be read: %.80q", data)
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond, errors.Join(err1, err2)
}
