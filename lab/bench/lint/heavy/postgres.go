package heavy

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// startPostgres starts Debian's PostgreSQL in a folder of its own, over a socket there. It refuses to run as root. What
// lab/modules has for its services is in another module.
func startPostgres() (dsn string, end func(), err error) {
	dir, err := os.MkdirTemp("", "heavy-pg-")
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
		path := name
		if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); len(found) > 0 {
			path = found[len(found)-1]
		}
		cmd := exec.Command(path, args...)
		cmd.Dir, cmd.SysProcAttr = dir, as
		return cmd
	}
	initdb := command("initdb", "-D", dir+"/data", "-A", "trust", "-U", "postgres", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	pg := command("postgres", "-D", dir+"/data", "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off")
	if err := pg.Start(); err != nil {
		return "", nil, err
	}
	end = func() {
		pg.Process.Signal(syscall.SIGQUIT)
		pg.Wait()
		os.RemoveAll(dir)
	}
	for range 300 {
		if command("psql", "-h", dir, "-U", "postgres", "-c", "select 1").Run() == nil {
			return "host=" + dir + " user=postgres dbname=postgres", end, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	end()
	return "", nil, fmt.Errorf("PostgreSQL in %s does not answer", dir)
}
