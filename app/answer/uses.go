package answer

import (
	"context"
	"fmt"
	goversion "go/version"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/internal/near"
)

// uses checks that the modules, releases and settings exist that the change uses: those of the answer's list, and those
// that its prose names with their module or package.
func (c *check) uses(context.Context) {
	for _, u := range c.a.Uses {
		c.use(u)
	}
	c.releasesIn(c.a.Change)
	c.namesIn(c.a.Change)
}

func (c *check) use(u Use) {
	if u.Module == "" {
		if u.Name != "" {
			c.settingAnywhere(u.Name)
		}
		return
	}
	if isGo(u.Module) {
		c.goRelease(u.Version)
		if u.Name != "" {
			c.settingAnywhere(u.Name)
		}
		return
	}
	if dir := c.modules.stdOf(u.Module); dir != "" {
		c.goRelease(u.Version)
		c.setting(u.Module, u.Name, c.modules.exported(u.Module, dir, false))
		return
	}
	p, ok := c.modules.resolve(u.Module)
	if !ok {
		if u.Version != "" && c.modules.asked(u.Module, u.Version) {
			c.say(casefile.Supported, AboutVersion, fmt.Sprintf("the module proxy has %s@%s", u.Module, u.Version))
			return
		}
		c.say(casefile.Unsupported, AboutVersion, fmt.Sprintf("no module %s is in the program, known, or on "+
			"this machine%s",
			u.Module, c.askProxy()))
		return
	}
	if u.Version != "" {
		c.release(p, u.Version)
	}
	if u.Name != "" {
		c.setting(p, u.Name, c.modules.exported(p, c.modules.cacheOf(p), true))
	}
}

func (c *check) askProxy() string {
	if c.o.Online {
		return ""
	}
	return "; --online asks the module proxy"
}

// release checks that a module has a release.
func (c *check) release(p, version string) {
	version = canonical(version)
	r := c.modules.versions(p)
	switch {
	case c.otherMajor(p, version):
	case r.has(version) || r.has(version+"+incompatible"):
		c.say(casefile.Supported, AboutVersion, fmt.Sprintf("%s of %s exists", version, p))
	case c.modules.asked(p, version):
		c.say(casefile.Supported, AboutVersion, fmt.Sprintf("the module proxy has %s@%s", p, version))
	default:
		newest := ""
		if v := r.newest(); v != "" {
			newest = "; the newest release that is known is " + v
		}
		c.say(casefile.Unsupported, AboutVersion, fmt.Sprintf("nothing here knows a release %s of %s%s%s", version,
			p, newest,
			c.askProxy()))
	}
}

// otherMajor says so if a release cannot be one of a module, whose path has its major version.
func (c *check) otherMajor(p, version string) bool {
	_, major, ok := module.SplitPathVersion(p)
	if !ok || !semver.IsValid(version) || module.CheckPathMajor(version, major) == nil ||
		module.CheckPathMajor(version+"+incompatible", major) == nil {
		return false
	}
	c.say(casefile.Contradicted, AboutVersion, fmt.Sprintf("%s cannot be a release of %s: its path says which "+
		"major version "+
		"it is", version, p))
	return true
}

func canonical(version string) string {
	version = strings.TrimSpace(version)
	if version != "" && version[0] >= '0' && version[0] <= '9' {
		return "v" + version
	}
	return version
}

// goRelease checks a release of Go: one of a minor version that is at most one above that of this machine.
func (c *check) goRelease(version string) {
	if version == "" {
		return
	}
	v := "go" + strings.TrimLeft(version, "vgo ")
	here := c.modules.env().GOVERSION
	if !goversion.IsValid(v) || here != "" && goversion.Compare(goversion.Lang(v), nextGo(here)) > 0 {
		c.say(casefile.Unsupported, AboutVersion, fmt.Sprintf("no Go release %s is known; this machine has %s",
			version, here))
		return
	}
	c.say(casefile.Supported, AboutVersion, fmt.Sprintf("%s is a release of Go", v))
}

// nextGo is the language version after that of a release: "go1.27" of "go1.26.3".
func nextGo(release string) string {
	var major, minor int
	if _, err := fmt.Sscanf(goversion.Lang(release), "go%d.%d", &major, &minor); err != nil {
		return release
	}
	return fmt.Sprintf("go%d.%d", major, minor+1)
}

// exported are the names of a module or package whose source is in a folder; nil for none.
func (m *modules) exported(p, dir string, deep bool) *exported {
	if e, ok := m.sources[p]; ok {
		return e
	}
	var e *exported
	if dir != "" {
		e = exportedOf(dir, deep)
	}
	m.sources[p] = e
	return e
}

// member is a name as people write it, in parts: "http.Transport.MaxConnsPerHost", "(*DB).SetMaxOpenConns(20)".
func member(said string) (typ, name string) {
	said = strings.TrimPrefix(strings.TrimSpace(strings.Trim(said, "` ")), "defer ")
	said = bare(strings.ReplaceAll(strings.ReplaceAll(said, "(*", ""), ").", "."))
	said = strings.FieldsFunc(said+" ", func(r rune) bool { return strings.ContainsRune(" =:{(,", r) })[0]
	parts := strings.Split(strings.Trim(said, "."), ".")
	name = parts[len(parts)-1]
	if len(parts) > 1 {
		typ = parts[len(parts)-2]
	}
	return typ, name
}

// setting checks that a module exports a name, or that it is known of it.
func (c *check) setting(p, said string, e *exported) {
	if said == "" {
		return
	}
	typ, name := member(said)
	switch {
	case e != nil && e.has(typ, name), knownName(p, name):
		c.say(casefile.Supported, AboutSetting, fmt.Sprintf("%s is in %s", said, p))
	case e == nil:
		c.say(casefile.Unsupported, AboutSetting, fmt.Sprintf("whether %s has %s is not known: its source is "+
			"not on this "+
			"machine", p, said))
	case !e.whole:
		c.say(casefile.Unsupported, AboutSetting, fmt.Sprintf("the part of %s that was read has no %s", p, said))
	default:
		c.say(casefile.Contradicted, AboutSetting, fmt.Sprintf("%s exports no %s%s", p, said, e.meant(name)))
	}
}

// meant is a name that is like one that is not there: "; it has MaxConnsPerHost".
func (e *exported) meant(name string) string {
	all := make([]string, 0, len(e.names))
	for n, is := range e.names {
		if is && !strings.Contains(n, ".") {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	if like := near.Names(name, all); len(like) > 0 {
		return "; it has " + like[0]
	}
	return ""
}

// knownName reports whether package known names a setting or a function of a module.
func knownName(p, name string) bool {
	if len(name) < 3 {
		return false
	}
	word := regexp.MustCompile(`(?:^|\W)` + regexp.QuoteMeta(name) + `(?:\W|$)`)
	rows, _ := known.Advices()
	for _, a := range rows {
		of := slices.ContainsFunc(a.Modules, func(r known.Release) bool {
			return r.Path == p || r.Path == known.Std && slices.ContainsFunc(a.At, func(fn string) bool {
				return strings.HasPrefix(fn, p+".")
			})
		})
		if of && word.MatchString(strings.Join(slices.Concat(a.At, a.Stays, a.Below, []string{a.Subject}, a.Do), " ")) {
			return true
		}
	}
	return false
}

// environment are the variables that the Go runtime reads (package runtime, Environment Variables).
var environment = []string{"GOGC", "GOMEMLIMIT", "GODEBUG", "GOMAXPROCS", "GORACE", "GOTRACEBACK"}

// settingAnywhere checks a setting of which the answer does not say whose it is: a variable of the runtime, or a name
// of a module or package on the stacks.
func (c *check) settingAnywhere(said string) {
	_, name := member(said)
	if variable, rest, ok := strings.Cut(said, "="); ok && strings.TrimSpace(variable) == "GODEBUG" {
		c.godebug(rest)
		return
	}
	if strings.HasPrefix(name, "GO") && name == strings.ToUpper(name) {
		if slices.Contains(environment, name) {
			c.say(casefile.Supported, AboutSetting, fmt.Sprintf("%s is a setting of Go's runtime", name))
			return
		}
		c.say(casefile.Contradicted, AboutSetting, fmt.Sprintf("Go's runtime reads no %s; it reads %s", name,
			strings.Join(environment, ", ")))
		return
	}
	for _, x := range c.sheet.Settings {
		if strings.EqualFold(x.Name, name) {
			c.say(casefile.Supported, AboutSetting, fmt.Sprintf("%s is a setting of the process", name))
			return
		}
	}
	typ, _ := member(said)
	for _, p := range c.onStacks() {
		e := c.modules.source(p)
		if e != nil && e.has(typ, name) || knownName(p, name) {
			c.say(casefile.Supported, AboutSetting, fmt.Sprintf("%s is in %s", said, p))
			return
		}
	}
	c.say(casefile.Unsupported, AboutSetting, fmt.Sprintf("no module or package on the stacks is known to have "+
		"%s; say whose "+
		"it is", said))
}

// godebug checks the names in a value of GODEBUG, by the tables of this machine's Go: internal/godebugs, and the
// runtime.
func (c *check) godebug(value string) {
	var tables string
	for _, file := range []string{"internal/godebugs/table.go", "runtime/runtime1.go"} {
		if data, err := os.ReadFile(filepath.Join(c.modules.env().GOROOT, "src",
			filepath.FromSlash(file))); err == nil {
			tables += string(data)
		}
	}
	if tables == "" {
		return
	}
	for _, pair := range strings.Split(value, ",") {
		name, _, _ := strings.Cut(strings.Trim(pair, " `\"'"), "=")
		if name == "" {
			continue
		}
		if strings.Contains(tables, strconv.Quote(name)) {
			c.say(casefile.Supported, AboutSetting, fmt.Sprintf("GODEBUG=%s is a setting of Go", name))
			continue
		}
		c.say(casefile.Contradicted, AboutSetting, fmt.Sprintf("%s knows no GODEBUG setting %s",
			c.modules.env().GOVERSION, name))
	}
}

// source is the names of a module of the module cache, or of a package of the standard library.
func (m *modules) source(p string) *exported {
	if dir := m.stdOf(p); dir != "" {
		return m.exported(p, dir, false)
	}
	return m.exported(p, m.cacheOf(p), true)
}

// onStacks are the modules, and packages of the standard library, on the stacks of facts.
func (c *check) onStacks() (all []string) {
	add := func(p string) {
		if p != "" && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	for _, x := range c.sheet.Modules {
		add(x.Path)
	}
	for _, f := range c.sheet.Facts {
		for _, s := range f.Stacks {
			for _, x := range s.Frames {
				switch x.Owner {
				case facts.Dependency:
					add(x.Module)
				case facts.Std:
					add(functionOf(x.Function).pkg)
				}
			}
		}
	}
	return all
}

// version is a release in prose.
var version = regexp.MustCompile(`\bv?\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?\b`)

// releasesIn checks the releases that a text names in a sentence with a module's name. One that no list of releases
// denies is only noted: prose names the release that repairs something, and most of these are not on this machine.
func (c *check) releasesIn(text string) {
	for _, s := range sentenceOf(text) {
		all := version.FindAllString(s, 4)
		if len(all) == 0 {
			continue
		}
		p := c.moduleIn(s)
		if p == "" {
			continue
		}
		for _, v := range all {
			c.releaseIn(p, canonical(v))
		}
	}
}

func (c *check) releaseIn(p, v string) {
	r := c.modules.versions(p)
	newest := r.newest()
	switch {
	case r.has(v):
		c.say(casefile.Supported, AboutVersion, fmt.Sprintf("%s of %s exists", v, p))
	case c.otherMajor(p, v):
	case c.modules.asked(p, v):
		c.say(casefile.Supported, AboutVersion, fmt.Sprintf("the module proxy has %s@%s", p, v))
	case c.o.Online:
		c.say(casefile.Unsupported, AboutVersion, fmt.Sprintf("the module proxy has no %s@%s", p, v))
	case len(r.listed) > 0 && semver.Compare(v, newest) > 0, farAbove(v, newest):
		c.say(casefile.Unsupported, AboutVersion, fmt.Sprintf("nothing here knows a release %s of %s; the "+
			"newest that is known "+
			"is %s%s", v, p, newest, c.askProxy()))
	default:
		c.say(casefile.Supported, AboutVersion, fmt.Sprintf("whether %s has %s was not looked up%s", p, v,
			c.askProxy()))
	}
}

// farAbove reports whether a release is two minor versions or more above the newest that is known.
func farAbove(v, newest string) bool {
	var a, b [3]int
	if _, err := fmt.Sscanf(v, "v%d.%d.%d", &a[0], &a[1], &a[2]); err != nil {
		return false
	}
	if _, err := fmt.Sscanf(newest, "v%d.%d.%d", &b[0], &b[1], &b[2]); err != nil {
		return false
	}
	return a[0] > b[0] || a[0] == b[0] && (a[1] > b[1]+farMinor || a[1] == b[1] && a[2] > b[2]+farPatch)
}

// How far a release may be above the newest that is known and still be likely: a program is some releases behind.
const (
	farMinor = 20
	farPatch = 30
)

// moduleIn is the module that a sentence names: by its path, or by the last part of it; the only one that has weight
// where it names none.
func (c *check) moduleIn(s string) string {
	all := append(c.dependencies(), c.modules.paths()...)
	for _, p := range all {
		if strings.Contains(s, p) {
			return p
		}
	}
	lower := strings.ToLower(s)
	for _, p := range all {
		base := strings.ToLower(shortModule(p))
		if len(base) > 2 && regexp.MustCompile(`(?:^|[^\w-])`+regexp.QuoteMeta(base)+`(?:$`+
			`|[^\w-])`).MatchString(lower) {
			return p
		}
	}
	if deps := c.dependencies(); len(deps) == 1 {
		return deps[0]
	}
	return ""
}

// shortModule is the last part of a module's path that is no major version.
func shortModule(p string) string {
	p = withoutMajor(p)
	return p[strings.LastIndexByte(p, '/')+1:]
}

// dependencies are the modules at the facts at the places.
func (c *check) dependencies() (all []string) {
	for _, f := range c.at {
		for _, s := range f.Stacks {
			for _, x := range s.Frames {
				if x.Owner == facts.Dependency && x.Module != "" && !slices.Contains(all, x.Module) {
					all = append(all, x.Module)
				}
			}
		}
	}
	return all
}

// qualified is a name of a package in prose: "http.Transport.MaxConnsPerHost", "sql.DB".
var qualified = regexp.MustCompile(`\b([a-z][a-z0-9]+)\.([A-Z]\w*)(?:\.([A-Z]\w*))?\b`)

// runtimeSetting is a variable of the runtime in prose.
var runtimeSetting = regexp.MustCompile(`\bGO[A-Z]{2,}\b`)

// debugSetting is a setting of GODEBUG in prose.
var debugSetting = regexp.MustCompile(`\bGODEBUG=([a-z0-9]+)`)

// namesIn checks the names that a text gives with the package of a module or package on the stacks, and the variables
// of Go's runtime.
func (c *check) namesIn(text string) {
	var seen []string
	for _, m := range qualified.FindAllStringSubmatch(text, 20) {
		p := c.packageNamed(m[1])
		if p == "" || slices.Contains(seen, m[0]) {
			continue
		}
		seen = append(seen, m[0])
		e := c.modules.source(p)
		typ, name := "", m[2]
		if m[3] != "" {
			typ, name = m[2], m[3]
		}
		if e == nil || !e.whole || e.has(typ, name) || knownName(p, name) {
			continue
		}
		c.say(casefile.Contradicted, AboutSetting, fmt.Sprintf("%s exports no %s%s", p, strings.Trim(typ+"."+name, "."),
			e.meant(name)))
	}
	for _, m := range debugSetting.FindAllStringSubmatch(text, 4) {
		c.godebug(m[1])
	}
	for _, v := range runtimeSetting.FindAllString(text, 10) {
		if !slices.Contains(environment, v) && !slices.Contains(seen, v) && !isBuildSetting(v) {
			seen = append(seen, v)
			c.settingAnywhere(v)
		}
	}
}

// isBuildSetting reports whether a variable is one of the go command's, or a word in capitals.
func isBuildSetting(v string) bool {
	return slices.Contains([]string{"GOPROXY", "GOFLAGS", "GOROOT", "GOPATH", "GOOS", "GOARCH", "GOEXPERIMENT", "GOAMD",
		"GOTOOLCHAIN", "GOMODCACHE", "GOCACHE", "GOBIN", "GOENV", "GOWORK", "GOPRIVATE", "GOSUMDB", "GOVERSION"}, v) ||
		!strings.HasPrefix(v, "GO") || v == "GOOD" || v == "GOAL" || v == "GOING"
}

// packageNamed is the module or package of the standard library on the stacks of which the name is the last part; ""
// where none or several are.
func (c *check) packageNamed(name string) (found string) {
	for _, p := range c.onStacks() {
		if shortModule(p) != name {
			continue
		}
		if found != "" {
			return ""
		}
		found = p
	}
	return found
}

// sentenceOf are the sentences of a text, in which a release's dots end none.
func sentenceOf(text string) []string { return sentence.Split(text, maxSentences) }
