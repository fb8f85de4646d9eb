package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// patience is how long a server may take to answer on a busy machine.
const patience = time.Minute

// Postgres is a server of PostgreSQL with its data in a folder.
type Postgres struct {
	dir, port string
	as        *syscall.Credential // nil: who runs the tests
	cmd       *exec.Cmd

	mu   sync.Mutex // guards made
	made int        // databases
}

// StartPostgres makes a folder of its own, a cluster in it, and starts the server.
func StartPostgres() (*Postgres, error) {
	dir, err := os.MkdirTemp("", "casebook-postgres-")
	if err != nil {
		return nil, err
	}
	p := &Postgres{dir: dir}
	if err := p.initialize(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if _, p.port, err = freeAddress(); err == nil {
		err = p.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return p, nil
}

// freeAddress is one that nobody listens at.
func freeAddress() (addr, port string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", err
	}
	addr = l.Addr().String()
	_, port, _ = net.SplitHostPort(addr)
	return addr, port, l.Close()
}

// Database makes an empty database and returns its address.
func (p *Postgres) Database(ctx context.Context) (url string, err error) {
	db, err := sql.Open("pgx", p.url("postgres"))
	if err != nil {
		return "", err
	}
	defer db.Close()
	p.mu.Lock()
	p.made++
	name := fmt.Sprintf("test%d", p.made)
	p.mu.Unlock()
	_, err = db.ExecContext(ctx, "CREATE DATABASE "+name)
	return p.url(name), err
}

func (p *Postgres) url(database string) string {
	return "postgres://casebook@127.0.0.1:" + p.port + "/" + database + "?sslmode=disable"
}

// program finds a program of the newest PostgreSQL where Debian has it, or in PATH.
func program(name string) (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) > 0 {
		return found[len(found)-1], nil
	}
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	return "", fmt.Errorf("PostgreSQL's %s is not installed: apt-get install postgresql, or make deps", name)
}

func (p *Postgres) initialize() error {
	if err := p.confine(); err != nil {
		return err
	}
	cmd, err := p.command("initdb", "-D", p.data(), "-U", "casebook", "-A", "trust", "-E", "UTF8", "--locale=C")
	if err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

// confine makes the server run as Debian's user postgres where the tests run as root: it refuses to be root.
func (p *Postgres) confine() error {
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return fmt.Errorf("PostgreSQL does not run as root: apt-get install postgresql, or make deps: %w", err)
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	p.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return errors.Join(err1, err2, os.Chown(p.dir, uid, gid), os.Chmod(p.dir, 0o700))
}

func (p *Postgres) command(name string, args ...string) (*exec.Cmd, error) {
	path, err := program(name)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = p.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.as, Pdeathsig: syscall.SIGKILL}
	return cmd, nil
}

func (p *Postgres) data() string { return filepath.Join(p.dir, "data") }

// Start starts the server and waits until it answers.
func (p *Postgres) Start() error {
	cmd, err := p.command("postgres", "-D", p.data(), "-p", p.port, "-h", "127.0.0.1", "-k", p.dir, "-c",
		"max_connections=200")
	if err != nil {
		return err
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd = cmd
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		db, err := sql.Open("pgx", p.url("postgres"))
		if err == nil {
			err = errors.Join(db.PingContext(context.Background()), db.Close())
		}
		if err == nil {
			return nil
		}
		if time.Now().After(end) {
			p.Stop()
			return fmt.Errorf("PostgreSQL did not answer within %s: %w\n%s", patience, err, said.String())
		}
	}
}

// Stop ends the server at once, as a crash of its machine would: connections break, and nothing is flushed.
func (p *Postgres) Stop() {
	_ = p.cmd.Process.Signal(syscall.SIGQUIT)
	_ = p.cmd.Wait()
}

// Freeze stops all of its processes without ending them: connections stay, and nobody answers. Thaw lets them go on.
func (p *Postgres) Freeze() error { return p.signal(syscall.SIGSTOP) }

// Thaw is Freeze's other direction.
func (p *Postgres) Thaw() error { return p.signal(syscall.SIGCONT) }

// signal sends a signal to the server, and then to the processes of its connections: each has a session of its own, so
// that no group has them all.
func (p *Postgres) signal(sig syscall.Signal) error {
	pid := p.cmd.Process.Pid
	if err := syscall.Kill(pid, sig); err != nil {
		return err
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return err
	}
	for text := range strings.FieldsSeq(string(children)) {
		child, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		if err := syscall.Kill(child, sig); err != nil && !errors.Is(err, syscall.ESRCH) { // it has ended
			return err
		}
	}
	return nil
}

// Close ends the server and removes its data.
func (p *Postgres) Close() error {
	p.Stop()
	return os.RemoveAll(p.dir)
}
