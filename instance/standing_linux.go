package instance

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// maxTasks bounds the threads that are looked at, 20 µs each: the Go runtime ends a process with 10,000.
const maxTasks = 1000

// standing reads the states of the process's threads.
func (p *process) standing() (standing, error) {
	dir := fmt.Sprintf("/proc/%d", p.pid)
	s := standing{State: taskState(dir), Threads: make(map[string]int), Waits: make(map[string]int)}
	if s.State == "" || !p.still(dir) {
		return s, p.gone()
	}
	tasks, err := os.Open(dir + "/task")
	if err != nil {
		return s, fmt.Errorf("looking at the threads of process %d: %w", p.pid, err)
	}
	defer tasks.Close()
	names, _ := tasks.Readdirnames(maxTasks) // a process may end meanwhile
	for _, name := range names {
		if _, err := strconv.Atoi(name); err != nil {
			continue
		}
		if state := taskState(dir + "/task/" + name); state != "" {
			s.Threads[state]++
		}
		// "0" is a thread that runs, or a kernel that does not tell this user.
		if at, err := os.ReadFile(dir + "/task/" + name + "/wchan"); err == nil && len(at) > 0 && string(at) != "0" {
			s.Waits[strings.TrimSpace(string(at))]++
		}
	}
	if len(s.Threads) == 0 {
		return s, errors.New("its threads cannot be seen")
	}
	return s, nil
}

// taskState is the letter after the name in a stat file; "" when that cannot be read.
func taskState(dir string) string {
	data, err := os.ReadFile(dir + "/stat")
	i := bytes.LastIndexByte(data, ')')
	if err != nil || i < 0 || len(data) < i+3 {
		return ""
	}
	return string(data[i+2])
}
