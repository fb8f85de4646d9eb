package reporter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Exec runs a command for each case, with the path of the case's folder after args as its last argument. There is no
// shell. Exit status 0 is success. At the timeout the command is killed, on Unix with its process group, on other
// systems alone. The end of what it printed, 2 KiB, is part of the error when it fails, and of nothing else: a command
// that prints secrets before it fails has them logged.
//
// Its environment is that of this process, secrets and all, and
//
//	CASEBOOK_CASE      the folder        CASEBOOK_RULE      the rule that tripped
//	CASEBOOK_ID        the case's ID     CASEBOOK_TEXT      why it tripped
//	CASEBOOK_SERVICE   the service       CASEBOOK_FINDING   the worst finding: "GC003 Title", empty without findings
//	CASEBOOK_HOST      this machine      CASEBOOK_SCORE     its score, 0–100
//	CASEBOOK_LABEL_X   the label x       CASEBOOK_WHERE, CASEBOOK_REMEDY   its place and its first remedy
//
// The name of a label is put in upper case, with an underscore for what is no letter or digit.
func Exec(command string, args ...string) Reporter {
	path, err := exec.LookPath(command)
	if err != nil {
		return faulty("exec", fmt.Errorf("the command cannot be run: %w; give its path, and make it executable", err))
	}
	c := &program{path: path, args: slices.Clone(args)}
	return Reporter{Name: "exec", Send: c.send}
}

type program struct {
	path string
	args []string
}

// How much of a command's output an error shows, bytes, and how long after the command's end its output is waited
// for: a child that it left behind may hold the pipe open forever.
const (
	maxOutput = 2 << 10
	pipeWait  = 500 * time.Millisecond
)

func (p *program) send(ctx context.Context, r Report) error {
	var out tail
	cmd := exec.CommandContext(ctx, p.path, append(slices.Clone(p.args), r.Folder)...)
	cmd.Env = append(os.Environ(), environment(r)...)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = pipeWait
	inGroup(cmd)
	err := cmd.Run()
	if err == nil || errors.Is(err, exec.ErrWaitDelay) && cmd.ProcessState.Success() {
		return nil
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("it did not end in time and was killed: %w", ctx.Err())
	}
	if text := plain(string(out.data), maxOutput); text != "" {
		err = fmt.Errorf("%w; it printed: %s", err, text)
	}
	return fmt.Errorf("running %s: %w", p.path, err)
}

// environment passes the case to a command. A value cannot hold a NUL.
func environment(r Report) []string {
	m := NewMessage(r)
	env := []string{
		"CASEBOOK_CASE=" + strings.ReplaceAll(r.Folder, "\x00", ""), "CASEBOOK_ID=" + m.ID,
		"CASEBOOK_SERVICE=" + m.Service,
		"CASEBOOK_HOST=" + m.Host, "CASEBOOK_RULE=" + m.Rule, "CASEBOOK_TEXT=" + m.Text,
	}
	var f Finding
	if len(m.Findings) > 0 {
		f = m.Findings[0]
	}
	env = append(env, "CASEBOOK_FINDING="+strings.TrimSpace(f.ID+" "+f.Title), "CASEBOOK_SCORE="+strconv.Itoa(f.Score),
		"CASEBOOK_WHERE="+f.Where, "CASEBOOK_REMEDY="+f.Remedy)
	for _, name := range sortedKeys(m.Labels) {
		env = append(env, "CASEBOOK_LABEL_"+variable(name)+"="+m.Labels[name])
	}
	return env
}

// variable is name as a variable of the environment can be called.
func variable(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(name))
}

// A tail keeps the last maxOutput bytes written to it.
type tail struct{ data []byte }

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if len(p) > maxOutput {
		p = p[len(p)-maxOutput:]
	}
	t.data = append(t.data, p...)
	if over := len(t.data) - maxOutput; over > 0 {
		t.data = slices.Delete(t.data, 0, over)
	}
	return n, nil
}
