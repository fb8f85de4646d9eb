package cli_test

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// measureFile names the file for the memory that a command used. When it is set, the test's binary runs a command and
// nothing else.
const measureFile = "CASEBOOK_TEST_MEASURE"

func init() {
	if file := os.Getenv(measureFile); file != "" {
		_ = os.Unsetenv(measureFile) // the command is this program, too
		os.Exit(measure(file, os.Args[1:]))
	}
}

// measure runs a command with the files that this process was given, writes to a file how many KiB of memory it used,
// and returns its exit code.
func measure(file string, args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if more := os.NewFile(3, "more"); more != nil {
		if _, err := more.Stat(); err == nil {
			cmd.ExtraFiles = []*os.File{more}
		}
	}
	_ = cmd.Run() // the exit code says it
	if cmd.ProcessState == nil {
		return 127
	}
	if err := os.WriteFile(file, strconv.AppendInt(nil, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss, 10),
		0o600); err != nil {
		return 126
	}
	return cmd.ProcessState.ExitCode()
}
