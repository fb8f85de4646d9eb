package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/field/live"
)

// tell prints how many rows are as they must be, and writes the page, which has the rows of earlier runs, too.
func (f *field) tell(courses []course, took time.Duration) (err error) {
	if f.kept != "" {
		if f.results, err = newest(f.kept); err != nil {
			return err
		}
		courses = f.courses()
	}
	var sorted []Result
	for _, c := range courses {
		for _, r := range f.results {
			if r.Name == c.name && r.Form == c.form {
				sorted = append(sorted, r)
			}
		}
	}
	fmt.Printf("\n%s\n%s took %s\n", strings.Join(sums(sorted), "\n"), f.command(), took.Round(time.Second))
	if f.page == "" {
		return nil
	}
	return os.WriteFile(f.page, f.markdown(sorted, took), 0o644)
}

// keep adds a result to a file, as soon as it is there: a run takes hours. No name, no file.
func keep(file string, r Result) error {
	if file == "" {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// newest are the newest results of each row and form in a file.
func newest(file string) (results []Result, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	at := make(map[string]int)
	for line := range bytes.Lines(data) {
		var r Result
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		i, ok := at[r.Name+" "+r.Form]
		if !ok {
			i = len(results)
			at[r.Name+" "+r.Form], results = i, append(results, r)
		}
		results[i] = r
	}
	return results, nil
}

// sums are the figures over all rows; rows that the machine limited are counted apart.
func sums(results []Result) (lines []string) {
	for _, form := range []string{healthy, ill} {
		if all, limited := counted(results, form); len(all)+limited > 0 {
			noticed, right := 0, 0
			for _, r := range all {
				noticed += count(r.Noticed())
				right += count(r.Noticed() && r.Answer != "" && r.Wrong == "")
			}
			lines = append(lines, fmt.Sprintf("From %s start: a rule trips in time in %d of %d; the case says what is true in "+
				"%d. LIMITED, and not counted: %d.", map[string]string{healthy: "a healthy", ill: "an ill"}[form], noticed,
				len(all), right, limited))
		}
	}
	for _, form := range []string{repaired, server} {
		if all, limited := counted(results, form); len(all)+limited > 0 {
			quiet := 0
			for _, r := range all {
				quiet += count(r.OK())
			}
			lines = append(lines, fmt.Sprintf("%s: quiet are %d of %d. LIMITED, and not counted: %d.",
				map[string]string{repaired: "Repaired, or healthy", server: "Real servers"}[form], quiet, len(all), limited))
		}
	}
	return lines
}

// counted are the results of a form that stand for something, and how many the machine limited. A row of which no rule
// has to trip is among the quiet ones alone.
func counted(results []Result, form string) (all []Result, limited int) {
	for _, r := range results {
		switch {
		case r.Form != form, r.sick() && r.Always != "":
		case r.Limited != "":
			limited++
		default:
			all = append(all, r)
		}
	}
	return all, limited
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// command is how the run was begun.
func (f *field) command() string {
	text := "cd lab && go run ./field"
	if f.rows != "" {
		text += fmt.Sprintf(" -rows '%s'", f.rows)
	}
	if f.beside > 0 {
		text += fmt.Sprintf(" -beside %d", f.beside)
	}
	return text
}

// head is what the page says before its figures.
const head = `# Live: noticed in time, and what is said

<!-- Written by lab/field: %s -->

Services of public reports ([waits](unseen-waits.md), [leaks](unseen-leaks.md), [third](unseen-third.md),
[fourth](unseen-fourth.md), [fifth](unseen-fifth.md), [sixth](unseen-sixth.md), [seventh](unseen-seventh.md)), running,
beside ` + "`casebook watch`" + ` with its default rules. Each is watched from a healthy start, %s before what makes it
ill; from an ill start, %s after that; and repaired, under the same load for the same time. A rule has to trip within
a minute of the fault (from an ill start: of the watch's begin), of a leak within two. None has to trip of a service
that is what it is from its first request on: it costs CPU or time, as honest work does. What its case says first is
judged by the rows of diagnose/testdata/truth.tsv, where the service has one. Real servers have warm-up, load that
swings, pauses and bursts for %s: what a case or a capture at the end says of them is no more than a notice.

LIMITED: more than %.0f %% of the watch's samples were late, or something that could run waited for a processor more
than %.0f %% of the time. Such a row stands for nothing. A trip of cpu-pressure says that the machine is busy, and is not
counted.

%s; %s, %d processors; %s, in %s.

`

// markdown is the page.
func (f *field) markdown(results []Result, took time.Duration) []byte {
	var out bytes.Buffer
	version, _ := exec.Command(f.casebook, "version").Output()
	first, _, _ := strings.Cut(string(version), "\n")
	fmt.Fprintf(&out, head, f.command(), f.calm, illFor, f.span, 100*maxLate, 100*maxWaiting, first, runtime.Version(),
		runtime.NumCPU(), time.Now().UTC().Format("2 January 2006, 15:04 UTC"), took.Round(time.Minute))
	for _, line := range sums(results) {
		fmt.Fprintf(&out, "- %s\n", line)
	}
	cells := make(map[string]string)
	for _, r := range results {
		cells[r.Name+" "+r.Form] = r.cell()
	}
	fmt.Fprint(&out, "\n| service | what it is | from a healthy start | from an ill start | repaired |\n",
		"|---|---|---|---|---|\n")
	for _, row := range live.Rows() {
		if cells[row.Name+" "+healthy]+cells[row.Name+" "+ill]+cells[row.Name+" "+repaired] != "" {
			fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", row.Name, row.Sort, cells[row.Name+" "+healthy],
				cells[row.Name+" "+ill], cells[row.Name+" "+repaired])
		}
	}
	fmt.Fprint(&out, "\n| real server | |\n|---|---|\n")
	for _, r := range results {
		if r.Form == server {
			p := f.foreign.Programs[strings.TrimSuffix(strings.TrimSuffix(r.Name, "-healthy"), "-busy")]
			fmt.Fprintf(&out, "| %s %s | %s |\n", p.Package, p.Version, r.cell())
		}
	}
	return out.Bytes()
}

// cell is a result in the table.
func (r Result) cell() string {
	text := "quiet"
	switch {
	case r.Error != "":
		text = "failed: " + strings.Join(strings.Fields(r.Error), " ")
	case r.sick() && r.Rule == "" && r.Always != "":
		text = "nothing tripped, and nothing has to: " + r.Always
	case r.sick() && r.Rule == "":
		text = "**nothing tripped**"
	case r.sick():
		text = fmt.Sprintf("%s %.0f s: %s", r.Rule, r.After, or(r.Answer, "no case"))
		if !r.Noticed() && r.Always == "" {
			text += ", **late**"
		}
		if r.Wrong != "" {
			text += ", **" + r.Wrong + "**"
		}
	case len(r.False) > 0:
		text = ""
	}
	if len(r.False) > 0 {
		text += " **false: " + strings.Join(r.False, "; ") + "**"
	}
	if r.Limited != "" {
		text += " LIMITED (" + r.Limited + ")"
	}
	return strings.ReplaceAll(strings.TrimSpace(text), "|", "\\|")
}
