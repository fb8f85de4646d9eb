package ask

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// fileEnv names the file into which a command writes the number of its child.
const fileEnv = "ASK_TEST_FILE"

// beCommand is a command that answers, in some way.
func beCommand(mode string) int {
	switch mode {
	case "answers":
		prompt, _ := io.ReadAll(os.Stdin)
		fmt.Printf("%s\n%s\n", answer, prompt)
	case "environment":
		fmt.Println(strings.Join(os.Environ(), "\n"))
	case "lists":
		entries, _ := os.ReadDir(".")
		for _, e := range entries {
			fmt.Println(e.Name())
		}
	case "deaf": // it reads nothing of what it gets
		fmt.Println(answer)
	case "fails":
		fmt.Fprintln(os.Stderr, "quota exceeded\x1b[2J for "+os.Getenv(keyEnv))
		return 3
	case "silent":
	case "endless":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("blah ", 1000)); err != nil {
				time.Sleep(time.Hour) // it does not end by itself
			}
		}
	case "hangs":
		signal.Ignore(syscall.SIGTERM)
		_ = startChild().Wait()
	case "leaves": // a child that keeps the output open
		startChild()
		fmt.Println(answer)
	}
	return 0
}

// startChild starts a process that outlives its parent and keeps its output open.
func startChild() *exec.Cmd {
	child := exec.Command("/bin/sleep", "3600")
	child.Stdout = os.Stdout
	if err := child.Start(); err != nil {
		panic(err)
	}
	_ = os.WriteFile(os.Getenv(fileEnv), []byte(fmt.Sprint(child.Process.Pid)), 0o600)
	return child
}
