package holmes

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"unsafe"
)

// insideArg makes this test binary raise the loopback interface and then become another program.
const insideArg = "inside-network"

// isInside does that, and reports whether it was asked to and could not.
func isInside() bool {
	if len(os.Args) < 3 || os.Args[1] != insideArg {
		return false
	}
	fmt.Fprintln(os.Stderr, inside(os.Args[2:]))
	return true
}

// isolate gives a command a network of its own, in which port 8080 is free. Where that is not allowed, the commands
// take turns on the machine's. What it returns is to be called when the command has ended.
func isolate(t *testing.T, cmd *exec.Cmd) (done func()) {
	t.Helper()
	probe := exec.Command(os.Args[0], insideArg, "/bin/true")
	probe.SysProcAttr = ownNetwork()
	if out, err := probe.CombinedOutput(); err != nil {
		t.Logf("no network of its own here (%v, %s): port 8080 is the machine's", err, out)
		return takePort(t)
	}
	cmd.SysProcAttr = ownNetwork()
	cmd.Args = append([]string{os.Args[0], insideArg, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = os.Args[0]
	return func() {}
}

func ownNetwork() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Getuid() != 0 {
		a.Cloneflags |= syscall.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return a
}

// inside raises lo, which a new network has down, and becomes the program.
func inside(args []string) error {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	var request struct { // struct ifreq of netdevice(7)
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], "lo")
	request.flags = syscall.IFF_UP | syscall.IFF_RUNNING
	_, _, no := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.SIOCSIFFLAGS,
		uintptr(unsafe.Pointer(&request))) //nolint:gosec // ioctl has no other way
	if no != 0 {
		return fmt.Errorf("raising lo: %w", no)
	}
	return syscall.Exec(args[0], args, os.Environ()) //nolint:gosec // what the test asks for
}
