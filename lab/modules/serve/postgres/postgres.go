// Package postgres starts a PostgreSQL server for the services that need one.
package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Backend is Debian's PostgreSQL in a folder of its own, over a socket there. It refuses to run as root.
func Backend() (string, func(), error) {
	dir, err := os.MkdirTemp("", "modules-pg-")
	if err != nil {
		return "", nil, err
	}
	as := &syscall.SysProcAttr{}
	if u, err := user.Lookup("nobody"); err == nil && os.Getuid() == 0 {
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(dir, uid, gid); err != nil {
			return "", nil, err
		}
	}
	command := func(name string, args ...string) *exec.Cmd {
		path, err := exec.LookPath(name)
		if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); err != nil && len(found) > 0 {
			path = found[len(found)-1]
		}
		cmd := exec.Command(path, args...)
		cmd.Dir, cmd.SysProcAttr = dir, as
		return cmd
	}
	var out bytes.Buffer
	initdb := command("initdb", "-D", dir+"/data", "-A", "trust", "-U", "postgres", "--no-sync")
	initdb.Stdout, initdb.Stderr = &out, &out
	if err := initdb.Run(); err != nil {
		return "", nil, fmt.Errorf("initdb: %w: %s", err, &out)
	}
	pg := command("postgres", "-D", dir+"/data", "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off")
	if err := pg.Start(); err != nil {
		return "", nil, err
	}
	stop := func() {
		pg.Process.Signal(syscall.SIGQUIT)
		pg.Wait()
		os.RemoveAll(dir)
	}
	for range 100 {
		if c, err := pgx.Connect(context.Background(), "host="+dir+" user=postgres dbname=postgres"); err == nil {
			return dir, stop, c.Close(context.Background())
		}
		time.Sleep(100 * time.Millisecond)
	}
	return "", nil, errors.New("PostgreSQL does not answer")
}
