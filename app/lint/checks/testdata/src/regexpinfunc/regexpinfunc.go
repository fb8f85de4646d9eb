package regexpinfunc

import (
	"regexp"
	"sync"
)

var atStart = regexp.MustCompile(`^\d+$`)

const digits = `\d+`

// Slug is written like many.
func Slug(s string) string {
	re := regexp.MustCompile(`[^a-z0-9]+`) // want `compiled at every call`
	return re.ReplaceAllString(s, "-")
}

func isVersion(s string) bool {
	return regexp.MustCompile("^v" + digits).MatchString(s) // want `compiled at every call`
}

func matches(s string) bool {
	ok, _ := regexp.MatchString(`^a+$`, s) // want `regexp.MatchString compiles its pattern at every call`
	return ok
}

func checked(s string) (bool, error) {
	re, err := regexp.Compile(`^b+$`) // want `compiled at every call`
	if err != nil {
		return false, err
	}
	return re.MatchString(s), nil
}

type checker struct{ res []*regexp.Regexp }

func (c *checker) inLoop(names []string) {
	for range names {
		c.res = append(c.res, regexp.MustCompile(`c+`)) // want `compiled at every call`
	}
}

// A local name that the fix must not take, and a pattern of a local constant, which it cannot move.
func local(s string) bool {
	const mine = `x+`
	re := regexp.MustCompile(mine) // want `compiled at every call`
	return re.MatchString(s)
}

func longest(s string) string {
	re := regexp.MustCompile(`a|ab`) // want `compiled at every call`
	re.Longest()                     // changes it: no fix
	return re.FindString(s)
}

func wrong(s string) bool {
	re := regexp.MustCompile(`(`) // want `compiled at every call`
	return re.MatchString(s)      // panics here, and not at the start: no fix
}

// rules is as a configuration has it.
type rules struct {
	Pattern string
	Lines   []string
}

func (r rules) fails(body []byte) bool {
	for _, line := range r.Lines {
		re, err := regexp.Compile(line) // want `this pattern is kept as text`
		if err != nil {
			return true
		}
		if re.Match(body) {
			return true
		}
	}
	ok, _ := regexp.Match(r.Pattern, body)                 // want `this pattern is kept as text`
	return ok || regexp.MustCompile(r.Pattern).Match(body) // want `this pattern is kept as text`
}

func fits(pattern, s string) bool { return regexp.MustCompile(pattern).MatchString(s) } // want `the caller's pattern`

// What follows is fine.

func (r rules) check() error {
	_, err := regexp.Compile(r.Pattern)
	return err
}

func (r rules) compiled() (all []*regexp.Regexp) {
	for _, line := range r.Lines {
		re := regexp.MustCompile(line)
		all = append(all, re)
	}
	return all
}

func dynamic(name, s string) bool { return regexp.MustCompile("^" + name + "$").MatchString(s) }

func newChecker() *checker {
	return &checker{res: []*regexp.Regexp{regexp.MustCompile(`d+`)}}
}

var (
	once sync.Once
	lazy *regexp.Regexp
	late = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`e+`) })
)

func get() *regexp.Regexp {
	once.Do(func() { lazy = regexp.MustCompile(`f+`) })
	return lazy
}

func init() { load() }

func load() {
	re := regexp.MustCompile(`g+`)
	_ = re.MatchString("g")
}

func (c *checker) reset() { c.res[0] = regexp.MustCompile(`h+`) }

func pattern() *regexp.Regexp { return regexp.MustCompile(`i+`) }

func parseConfig(s string) bool { return regexp.MustCompile(`j+`).MatchString(s) }
