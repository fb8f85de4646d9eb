//go:build linux

package main

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// apart gives this thread, and what it starts, a network that has nothing but a loopback, and mounts that nobody else
// sees.
func apart() error {
	if err := unix.Unshare(unix.CLONE_NEWNET | unix.CLONE_NEWNS); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	loopback, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	loopback.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, loopback)
}

// mountProc gives a root /proc, and /dev/fd, through which bash reads what commands print.
func (t *trial) mountProc(root *clean) error {
	dir := filepath.Join(root.dir, "proc")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("proc", dir, "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return err
	}
	t.mounted = append(t.mounted, dir)
	if err := os.Symlink("/proc/self/fd", filepath.Join(root.dir, "dev/fd")); !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// mountSys gives a root /sys, as every machine has: without it node_exporter 1.12.1 ends with a panic (updateOnline).
func (t *trial) mountSys(root *clean) error {
	dir := filepath.Join(root.dir, "sys")
	if err := unix.Mount("sysfs", dir, "sysfs", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return err
	}
	t.mounted = append(t.mounted, dir)
	return nil
}

// nullDevice gives the root of a container /dev/null, as every runtime does beside /proc (OCI runtime specification,
// default devices).
func nullDevice(root *clean) error {
	dir := filepath.Join(root.dir, "dev")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	null := filepath.Join(dir, "null")
	if err := unix.Mknod(null, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))); err != nil {
		return err
	}
	return os.Chmod(null, 0o666) // whatever the umask
}

// unmount undoes mountProc, so that what is below can be removed.
func (t *trial) unmount() (err error) {
	for _, dir := range t.mounted {
		err = errors.Join(err, unix.Unmount(dir, unix.MNT_DETACH))
	}
	t.mounted = nil
	return err
}
