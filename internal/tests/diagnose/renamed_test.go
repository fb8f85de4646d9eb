package diagnose_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// The sick services of the lab use libraries that this package knows by name. Somebody's service uses others. So each
// of their recordings is judged a second time with every module renamed to one that nobody knows: the same lines and
// kinds are to be found. What is lost hung on a name (package known says what a name may decide).

// renamedLeast is how many of the sick services are still found with all their modules renamed. It only goes up.
const renamedLeast = 81

func TestRenamed(t *testing.T) {
	var c renamedCount
	for _, table := range []struct{ folder, file string }{
		{"holdout", "holdout"}, {"holdout2", "holdout"}, {"holdout3", "holdout"}, {"holdout4", "holdout"},
		{"holdout5", "holdout"}, {"holdout6", "holdout"}, {"modules", "modules"}, {"queues", "queues"},
	} {
		recorded := caseFolders(t)
		for _, m := range moduleCases(t, table.folder, table.file, 8) {
			dir := table.folder + "/" + m.Name
			if m.Healthy || len(m.Kinds) == 0 || !slices.Contains(recorded, dir) {
				continue
			}
			c.services++
			t.Run(table.folder+"/"+m.Name, func(t *testing.T) { c.judge(t, m, dir) })
		}
	}
	t.Logf("with every module renamed %d of %d sick services are right; %d more are so by their own names alone",
		c.right, c.sick, c.named)
	if c.ran == c.services && c.right < renamedLeast {
		t.Errorf("%d are right with their modules renamed, want %d or more", c.right, renamedLeast)
	}
}

// A renamedCount counts services; sick are those that use any module.
type renamedCount struct{ services, ran, sick, right, named int }

func (c *renamedCount) judge(t *testing.T, m moduleCase, dir string) {
	c.ran++
	in := loadCase(t, dir)
	names := renamingOf(in)
	if len(names) == 0 {
		return // it uses the standard library alone
	}
	c.sick++
	said := diagnose.Run(context.Background(), names.input(t, in), diagnose.Options{})
	if len(said.Failed) > 0 {
		t.Errorf("detectors failed: %v", said.Failed)
	}
	if m.found(said.Findings, names) {
		c.right++
		return
	}
	byName := judged(t, dir).Findings
	if m.found(byName, nil) {
		c.named++
	}
	t.Logf("want %v at %v, found %s; by its own names %s", m.Kinds, m.Functions, firstOf(said.Findings), firstOf(byName))
}

// found: one of the first two findings is of the right kind at the right function.
func (m moduleCase) found(fs []casefile.Finding, names renaming) bool {
	named := m
	named.Functions = nil
	for _, f := range m.Functions {
		named.Functions = append(named.Functions, names.text(f))
	}
	return slices.ContainsFunc(fs[:min(len(fs), 2)], func(f casefile.Finding) bool {
		return slices.Contains(m.Kinds, f.Kind) && named.at(f)
	})
}

func firstOf(fs []casefile.Finding) string {
	var out []string
	for _, f := range fs[:min(len(fs), 2)] {
		at := ""
		if len(f.Where) > 0 {
			at = " at " + f.Where[0].Function
		}
		out = append(out, fmt.Sprintf("%s %d%s", f.Kind, f.Score, at))
	}
	return strings.Join(out, ", ")
}

// A renaming gives each module of a program another path. The longest come first: a module may lie below another.
type renaming []struct{ from, to string }

// inCache finds the modules that the paths of files name.
var inCache = regexp.MustCompile(`([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:/[A-Za-z0-9!._~-]+)*)@v[0-9]`)

func renamingOf(in diagnose.Input) (out renaming) {
	var found []string
	for _, e := range in.Evidence {
		for _, m := range inCache.FindAllStringSubmatch(string(unpack(e.Data)), -1) {
			if !strings.HasPrefix(m[1], "golang.org/toolchain") && !slices.Contains(found, m[1]) {
				found = append(found, m[1])
			}
		}
	}
	slices.Sort(found)
	for i, module := range found {
		to := fmt.Sprintf("example.invalid/team%02d/lib", i)
		out = append(out, struct{ from, to string }{module, to})
		// in names, the cache's escapes are not there, and the linker escapes the dots of the last element
		slash := strings.LastIndexByte(module, '/') + 1
		name := uncached(module[:slash] + strings.ReplaceAll(module[slash:], ".", "%2e"))
		for _, other := range []string{name, uncached(module)} {
			if other != module {
				out = append(out, struct{ from, to string }{other, to})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b struct{ from, to string }) int { return len(b.from) - len(a.from) })
	return out
}

// uncached is a path of the module cache with its capitals: "!azure" is "Azure".
func uncached(module string) string {
	return regexp.MustCompile(`![a-z]`).ReplaceAllStringFunc(module, func(s string) string {
		return strings.ToUpper(s[1:])
	})
}

// text renames the modules where they stand whole: "example.com/queue" is not in "example.com/queues".
func (r renaming) text(s string) string {
	for _, n := range r {
		var out strings.Builder
		kept := 0 // s up to here is in out
		for at := 0; ; {
			i := strings.Index(s[at:], n.from)
			if i < 0 {
				break
			}
			at += i
			end := at + len(n.from)
			if (end == len(s) || !inPathElement(s[end])) && (at == 0 || !inPathElement(s[at-1])) {
				out.WriteString(s[kept:at] + n.to)
				kept = end
			}
			at = end
		}
		if kept > 0 {
			s = out.String() + s[kept:]
		}
	}
	return s
}

func inPathElement(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (r renaming) input(t *testing.T, in diagnose.Input) diagnose.Input {
	t.Helper()
	out := in
	out.Evidence = slices.Clone(in.Evidence)
	for i, e := range out.Evidence {
		out.Evidence[i].Data = r.evidence(t, e)
	}
	return out
}

func (r renaming) evidence(t *testing.T, e diagnose.Evidence) []byte {
	t.Helper()
	raw := unpack(e.Data)
	p, err := profile.ParseUncompressed(raw)
	if err != nil || len(p.SampleType) == 0 {
		return []byte(r.text(string(raw)))
	}
	for _, f := range p.Function {
		f.Name, f.SystemName, f.Filename = r.text(f.Name), r.text(f.SystemName), r.text(f.Filename)
	}
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	return b.Bytes()
}

// unpack is what gzip packed; other data stays as it is.
func unpack(data []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return data
	}
	out, err := io.ReadAll(r)
	if err != nil {
		return data
	}
	return out
}
