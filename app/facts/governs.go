package facts

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
)

// Bounds of what is said of settings and of source that is not here.
const (
	mostGoverning = 4 // settings that are looked for
	mostSet       = 3 // places of one
	mostAbsent    = 3 // modules
	missingHarm   = 0.03
)

// settingName is a setting in words such as "QPS and Burst of rest.Config": a name that is no word of English. What is
// before or behind a dot is a type's.
var settingName = regexp.MustCompile(`(^|[^.\pL\pN])([\p{Lu}][\pL\pN]*\p{Lu}[\pL\pN]*)($|[^.\pL\pN])`)

// addSettings adds the code in which the program sets what governs facts. nowhere are facts of settings that are not in
// it at all, which have no ID yet.
func (s *Sheet) addSettings(ctx context.Context, src Source) (nowhere []Fact) {
	names, of := s.governing()
	for _, name := range names {
		found, all := src.Named(ctx, name)
		if len(found) == 0 && all {
			nowhere = append(nowhere, Fact{Sort: Code, Of: of[name], Harm: s.harmOf(of[name]),
				Text: fmt.Sprintf("%s, which governs it, stands nowhere in the program's own source: the default "+
					"holds, unless a file, the environment or a module sets it.", name)})
		}
		for _, f := range found[:min(len(found), mostSet)] {
			s.addSet(ctx, src, f, of[name])
		}
	}
	return nowhere
}

// governing are the names of settings, those of the most harmful fact first, and the facts that they govern.
func (s *Sheet) governing() (names []string, of map[string][]string) {
	of = make(map[string][]string)
	for i := range s.Facts {
		f := &s.Facts[i]
		m := settingName.FindStringSubmatch(f.governs)
		if m == nil {
			continue
		}
		name, facts := m[2], []string{f.ID}
		if f.Sort == Known {
			facts = f.Of
		}
		if of[name] == nil && len(names) == mostGoverning {
			continue
		}
		if of[name] == nil {
			names = append(names, name)
		}
		for _, id := range facts {
			if !slices.Contains(of[name], id) {
				of[name] = append(of[name], id)
			}
		}
	}
	return names, of
}

// addSet adds a line in which a setting stands, to the excerpt that has it or as one more.
func (s *Sheet) addSet(ctx context.Context, src Source, f Frame, of []string) {
	for i := range s.Code {
		e := &s.Code[i]
		same := e.File == f.File ||
			e.Owner == User && strings.HasSuffix(strings.ReplaceAll(e.File, `\`, "/"), "/"+f.File)
		if same && f.Line >= e.First && f.Line < e.First+len(e.Lines) {
			if !slices.Contains(e.Mark, f.Line) {
				e.Mark = append(e.Mark, f.Line)
				slices.Sort(e.Mark)
			}
			return
		}
	}
	lines, note := src.Lines(ctx, f)
	if len(lines) < f.Line || len(s.Code) >= mostExcerpts {
		return
	}
	s.Code = append(s.Code, excerptOf(&place{frame: f, marks: []int{f.Line}, facts: of}, lines, note))
}

// addMissingCode says of which modules the source is not here.
func (s *Sheet) addMissingCode(places []Frame) {
	var absent []string
	own := ""
	for _, f := range places {
		switch module, version, ok := stacks.ModuleOf(f.File); {
		case f.Owner == User:
			own = f.Function
		case ok && f.Owner == Dependency && !slices.Contains(absent, module+"@"+version):
			absent = append(absent, module+"@"+version)
		}
	}
	if own != "" {
		s.addMissing(fmt.Sprintf("The program's own source is not at hand (of %s and others). Give its folder as "+
			"--source.", own))
	}
	if len(absent) > 0 {
		s.addMissing(fmt.Sprintf("The source of %s is not in Go's module cache. In the program's folder: "+
			"go mod download %s.",
			number.Things(len(absent), "module"), strings.Join(absent[:min(len(absent), mostAbsent)], " ")))
	}
}

func (s *Sheet) addMissing(text string) {
	n := 1
	for i := range s.Facts {
		if s.Facts[i].Sort == Missing {
			n++
		}
	}
	s.Facts = append(s.Facts, Fact{ID: "N" + strconv.Itoa(n), Sort: Missing, Text: text, Harm: missingHarm})
}
