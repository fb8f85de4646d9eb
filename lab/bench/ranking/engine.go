package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/internal/archive"
)

// A replay is the engine in its own process.
type replay struct {
	address string
	cmd     *exec.Cmd
}

func startEngine(services int) (*replay, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "-serve", "-services", strconv.Itoa(services))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	e := &replay{cmd: cmd}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		e.stop()
		return nil, fmt.Errorf("the engine's replay printed no address: %w", err)
	}
	e.address = "pyroscope://" + strings.TrimSpace(line)
	return e, nil
}

func (e *replay) stop() {
	_ = e.cmd.Process.Kill()
	_ = e.cmd.Wait()
}

// Profiles are sent this often, and for as long from now on: a measurement takes minutes.
const (
	pushed  = 150 * time.Second // two in the five minutes that are asked for
	lasting = time.Hour
)

// beEngine answers until it is killed.
func beEngine(services int) error {
	profiles, err := readProfiles()
	if err != nil {
		return err
	}
	s, handler := enginetest.Pyroscope()
	for i := range services {
		labels := map[string]string{"service_name": fmt.Sprintf("svc-%05d", i), "pod": fmt.Sprint("pod-", i),
			"service_version": fmt.Sprint("v1.", i%7), "team": fmt.Sprint("team-", i%40)}
		for at := -2 * pushed; at < lasting; at += pushed {
			s.Add(labels, "process_cpu", time.Now().Add(at), profiles[i%len(profiles)])
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	server := http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	return server.Serve(l)
}

func readProfiles() ([]*profile.Profile, error) {
	set, err := archive.Find()
	if err != nil {
		return nil, err
	}
	names, err := set.Cases("foreign/*")
	if err != nil {
		return nil, err
	}
	var all []*profile.Profile
	for _, file := range names {
		data, err := set.ReadFile(file + "/cpu.pb.gz")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p, err := profile.ParseData(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if p.DurationNanos <= 0 {
			return nil, fmt.Errorf("%s says nothing of its duration", file)
		}
		p.Scale(float64(pushed) / float64(p.DurationNanos)) // the recorded load, all the time
		all = append(all, p)
	}
	return all, nil
}

// A used is what this process has taken so far.
type used struct {
	cpu  time.Duration
	peak int64 // bytes
}

func usage() used {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return used{}
	}
	return used{time.Duration(u.Utime.Nano() + u.Stime.Nano()), u.Maxrss << 10} // KiB on Linux
}
