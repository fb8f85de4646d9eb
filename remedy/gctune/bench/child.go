package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// outcome is one run of a variant under a load.
type outcome struct {
	figures
	Peak   int64 // bytes, of the cgroup; of the process alone without one
	Kills  int   // by the kernel's OOM killer
	Failed error // why there are no figures
}

// runOnce runs a variant under a load in a child process, in a cgroup of its own where one can be made.
func runOnce(ctx context.Context, p plan, l load, v variant, n int) (outcome, error) {
	g, err := newGroup(n)
	if err == nil {
		defer g.remove()
	}
	exe, err := os.Executable()
	if err != nil {
		return outcome{}, fmt.Errorf("finding this program: %w", err)
	}
	var stdout bytes.Buffer
	service := command(ctx, exe, g, p.args("-child", l.name, "-variant", v.name)...)
	service.Stdout = &stdout
	if err := service.Start(); err != nil {
		return outcome{}, fmt.Errorf("starting the service: %w", err)
	}
	var neighbour *exec.Cmd
	if l.neighbour {
		neighbour = command(ctx, exe, g, p.args("-neighbour")...)
		if err := neighbour.Start(); err != nil {
			return outcome{}, errors.Join(fmt.Errorf("starting the neighbour: %w", err), service.Process.Kill(),
				service.Wait())
		}
	}
	o := outcome{Failed: service.Wait()}
	if neighbour != nil {
		o.Failed = errors.Join(o.Failed, neighbour.Wait())
	}
	if o.Failed == nil {
		if err := json.Unmarshal(stdout.Bytes(), &o.figures); err != nil {
			return o, fmt.Errorf("reading what the service says: %w", err)
		}
	}
	o.Peak, o.Kills = o.PeakRSS, 0
	if g.dir != "" {
		o.Peak, o.Kills = g.peak(), g.kills()
	}
	return o, ctx.Err()
}

// command is this program in another role, which enters the group and starts again in it: memory that a process already
// has stays charged to its old group.
func command(ctx context.Context, exe string, g group, args ...string) *exec.Cmd {
	if g.dir != "" {
		args = append([]string{"-enter", g.dir}, args...)
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Stderr = os.Stderr
	return cmd
}

// enterAndRun goes into a cgroup and becomes the program with the rest of the arguments.
func enterAndRun(dir string, args []string) error {
	if err := enter(dir); err != nil {
		return fmt.Errorf("entering the cgroup: %w", err)
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(exe, append([]string{exe}, args...), os.Environ())
}

// serveRole is the service under a variant; it writes its figures as JSON.
func serveRole(p plan, loadName, variantName string) error {
	v, err := variantNamed(variantName)
	if err != nil {
		return err
	}
	for _, l := range loadsOf(p.measure) {
		if l.name == loadName {
			return serveAs(p, l, v)
		}
	}
	return fmt.Errorf("there is no load %q", loadName)
}

func serveAs(p plan, l load, v variant) error {
	done, err := v.apply()
	if err != nil {
		return fmt.Errorf("setting up %s: %w", v.name, err)
	}
	f := serve(l, p)
	if done != nil {
		done(&f)
	}
	return json.NewEncoder(os.Stdout).Encode(f)
}
