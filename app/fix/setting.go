package fix

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/app/fix/rewrite"
	"github.com/gocasebook/casebook/casefile"
)

// bySetting is whose a change of a setting is.
const bySetting = "setting"

var variable = regexp.MustCompile(`\b(GOGC|GOMEMLIMIT)\b`)

// SettingsOf are the variables that a finding's first remedy of a value sets: "GOGC=400".
func SettingsOf(f casefile.Finding) []string {
	for _, r := range f.Remedies {
		if r.Env != "" {
			return strings.Fields(r.Env)
		}
	}
	return nil
}

// A deployment is a file that says how a program is started.
type deployment struct {
	file string
	data string
}

// deployed are the Dockerfiles and systemd units of a module, as deep as people put them.
func deployed(dir string) (out []deployment) {
	const deep, many = 3, 20_000
	n := 0
	filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error { // what cannot be read deploys nothing here
		if n++; err != nil || n > many {
			return fs.SkipAll
		}
		name := e.Name()
		if e.IsDir() {
			rel, _ := filepath.Rel(dir, file)
			hidden := strings.HasPrefix(name, ".") && file != dir
			if hidden || name == "vendor" || name == "testdata" || name == "node_modules" ||
				strings.Count(filepath.ToSlash(rel), "/") >= deep {
				return fs.SkipDir
			}
			return nil
		}
		if isDockerfile(name) || strings.HasSuffix(name, ".service") {
			if data, err := os.ReadFile(file); err == nil {
				out = append(out, deployment{file, string(data)})
			}
		}
		return nil
	})
	return out
}

func isDockerfile(name string) bool {
	return name == "Dockerfile" || name == "Containerfile" || strings.HasPrefix(name, "Dockerfile.") ||
		strings.HasSuffix(name, ".Dockerfile")
}

// setting is the change of how a program is started, where one file says that and sets nothing yet.
func setting(dir string, t Target) Proposal {
	c := Proposal{Target: t, By: bySetting, Text: "set " + strings.Join(t.Settings, " and ") + " where the program is started",
		Price: "memory: the finding says how much"}
	all := deployed(dir)
	for _, d := range all {
		for i, line := range strings.Split(d.data, "\n") {
			if assigned := variable.FindString(line); assigned != "" {
				c.Refused = fmt.Sprintf("%s:%d has %s already: %s belongs there", nearFile(dir, d.file), i+1, assigned,
					strings.Join(t.Settings, " "))
				return c
			}
		}
	}
	if len(all) != 1 {
		c.Refused = settingLines(t.Settings)
		if len(all) > 1 {
			c.Refused = fmt.Sprintf("%d files say how programs are started here, and which is this one's is not known; %s",
				len(all), c.Refused)
		}
		return c
	}
	at, text := all[0].place(t.Settings)
	if at < 0 {
		c.Refused = nearFile(dir, all[0].file) + " has no place for it; " + settingLines(t.Settings)
		return c
	}
	c.File, c.Line = all[0].file, strings.Count(all[0].data[:at], "\n")+1
	c.edits = []rewrite.Edit{{File: c.File, From: at, To: at, New: text}}
	return c
}

// settingLines are the settings as people write them.
func settingLines(settings []string) string {
	var docker, unit, pod []string
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		docker, unit = append(docker, "ENV "+s), append(unit, "Environment="+s)
		pod = append(pod, fmt.Sprintf("{name: %s, value: %q}", name, value))
	}
	return fmt.Sprintf("it is a setting of where the program is started: %s in the environment; %s in a Dockerfile; %s "+
		"in a systemd unit; env: [%s] in a pod", strings.Join(settings, " "), strings.Join(docker, ", "),
		strings.Join(unit, ", "), strings.Join(pod, ", "))
}

var (
	started = regexp.MustCompile(`(?m)^\s*(?:ENTRYPOINT|CMD)\b`)
	stage   = regexp.MustCompile(`(?m)^\s*FROM\b`)
	service = regexp.MustCompile(`(?m)^\[Service\]\s*\n`)
)

// place is where the lines go: before the first ENTRYPOINT or CMD of the last stage, or below [Service]. -1: nowhere.
func (d *deployment) place(settings []string) (at int, text string) {
	if strings.HasSuffix(d.file, ".service") {
		m := service.FindStringIndex(d.data)
		if m == nil {
			return -1, ""
		}
		for _, s := range settings {
			text += "Environment=" + s + "\n"
		}
		return m[1], text
	}
	from := stage.FindAllStringIndex(d.data, -1)
	if len(from) == 0 {
		return -1, ""
	}
	last := from[len(from)-1][0]
	m := started.FindStringIndex(d.data[last:])
	if m == nil {
		return -1, ""
	}
	for _, s := range settings {
		text += "ENV " + s + "\n"
	}
	return last + m[0], text
}

func nearFile(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

// isSetting reports whether a target's cure is a setting whose value is known.
func isSetting(t Target) bool { return Setting(t.Kind) != "" && len(t.Settings) > 0 }
