package foreign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/lab/quota"
	"github.com/gocasebook/casebook/lab/trial"
)

// startTime bounds how long a service may take to listen.
const startTime = 90 * time.Second

// A running is a service and what is behind it. stop must be called.
type running struct {
	trial.Running
	dir     string
	places  *strings.Replacer // all but the ports that the child has
	metrics string            // host:port
	behind  *behind
	process *child.Process
	group   quota.Group
}

// start starts a service whose program is in bin.
func (s *Service) start(ctx context.Context, bin string, p Program) (r *running, err error) {
	r = &running{Running: trial.Running{Service: s.Service}}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.stop())
		}
	}()
	if r.dir, err = os.MkdirTemp("", "foreign-"+s.Name+"-*"); err != nil {
		return r, err
	}
	if r.behind, err = s.Behind.start(); err != nil {
		return r, err
	}
	if r.metrics, err = freePort(); err != nil {
		return r, err
	}
	if s.CPU > 0 {
		if r.group, err = quota.New("foreign-"+s.Name, s.CPU); err != nil {
			return r, err
		}
	}
	if err := r.spawn(s, filepath.Join(bin, s.Program), p); err != nil {
		return r, err
	}
	if strings.Contains(p.Debug, ":") {
		r.process.Addr, r.process.PprofAddr = p.Debug, p.Debug
	}
	if err := r.process.Ready(ctx, p.Ready, startTime); err != nil {
		return r, err
	}
	r.Addr, r.Debug = r.process.Addr, r.process.Addr
	if p.Debug == child.PprofPlace {
		r.Debug = r.process.PprofAddr
	}
	return r, setUp(ctx, r.Addr, p.Setup)
}

// spawn starts the process, with its files.
func (r *running) spawn(s *Service, bin string, p Program) (err error) {
	_, metrics, _ := net.SplitHostPort(r.metrics)
	r.places = strings.NewReplacer("{dir}", r.dir, "{up}", r.behind.http.Addr().String(), "{dns}",
		r.behind.dns.LocalAddr().String(), "{metrics}", metrics)
	args := []string{bin}
	for _, a := range p.Args {
		args = append(args, r.places.Replace(a))
	}
	// Files need the ports that the child is given: a shell writes them when it is started, and becomes the program.
	script := "set -e\n"
	for name, content := range p.Files {
		if other, ok := s.Files[name]; ok {
			content = other
		}
		path := filepath.Join(r.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		script += fmt.Sprintf("cat > %s <<'END'\n%sEND\n", path, r.places.Replace(content))
	}
	script += r.group.Enter() + "exec " + child.Join(args) + "\n"
	r.process, err = child.Start(child.Spec{Name: s.Name, Args: []string{"sh", "-c", script}, Dir: r.dir,
		Env: append([]string{"HOME=" + r.dir, "XDG_DATA_HOME=" + r.dir, "XDG_CONFIG_HOME=" + r.dir},
			append(p.Env, s.Env...)...)})
	return err
}

// freePort finds a port that nobody listens at now.
func freePort() (addr string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// change makes an operator's change when its time has come. A program that watches a file sees it whole, or not yet.
func (r *running) change(ctx context.Context, c Change) error {
	if c.At == 0 {
		return nil
	}
	select {
	case <-time.After(time.Duration(c.At)):
	case <-ctx.Done():
		return nil
	}
	_, port, _ := net.SplitHostPort(r.process.Addr)
	_, pprof, _ := net.SplitHostPort(r.process.PprofAddr)
	ports := strings.NewReplacer(child.PortPlace, port, child.PprofPlace, pprof)
	for name, content := range c.Files {
		path := filepath.Join(r.dir, name)
		if err := os.WriteFile(path+".new", []byte(ports.Replace(r.places.Replace(content))), 0o644); err != nil {
			return err
		}
		if err := os.Rename(path+".new", path); err != nil {
			return err
		}
	}
	return nil
}

// setUp sends requests that must be answered well.
func setUp(ctx context.Context, addr string, targets []trial.Target) error {
	for _, t := range targets {
		req, err := http.NewRequestWithContext(ctx, t.Method, "http://"+addr+t.URL, bytes.NewReader([]byte(t.Body)))
		if err != nil {
			return err
		}
		if strings.HasPrefix(t.Body, "{") {
			req.Header.Set("Content-Type", "application/json")
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return fmt.Errorf("setting it up: %w", err)
		}
		body, _ := io.ReadAll(io.LimitReader(res.Body, 1000)) // for the message only
		res.Body.Close()
		if res.StatusCode >= 400 {
			return fmt.Errorf("setting it up: %s %s: %s: %s", t.Method, t.URL, res.Status, body)
		}
	}
	return nil
}

func (r *running) stop() error {
	var errs []error
	if r.process != nil {
		errs = append(errs, r.process.Stop())
	}
	if r.behind != nil {
		r.behind.stop()
	}
	r.group.Remove()
	return errors.Join(append(errs, os.RemoveAll(r.dir))...)
}

// Play runs a service under its load and under watch. bin has the programs.
func (s *Service) Play(ctx context.Context, player *trial.Player, bin string, p Program) (c trial.Course, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.Window()+6*time.Minute) // the rest is for starting and for captures
	defer cancel()
	r, err := s.start(ctx, bin, p)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, r.stop()) }()
	r.behind.begin()
	watcher := *player
	if p.Metrics {
		watcher.Args = append(slices.Clone(player.Args), "--http-metrics", r.metrics+"/metrics")
	}
	return watcher.Watch(ctx, &r.Running, func(ctx context.Context, length time.Duration) (all []load.Result,
		err error) {
		var group errgroup.Group
		group.Go(func() error { return r.change(ctx, s.Then) })
		all, err = s.drive(ctx, r.Addr, length)
		return all, errors.Join(err, group.Wait())
	})
}
