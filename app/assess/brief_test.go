package assess_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/brief"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/race"
)

// word is what may be searched for: shorter ones are in anybody's text.
var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{4,}`)

// casebook is the module whose names always stay (package anonymize).
const casebook = "github.com/gocasebook/casebook/"

// ownNames are names of a case that no stranger may read: the program's and its module's, and what its functions and
// files are called, where that is no word of English and of nobody else's functions.
func ownNames(s *facts.Sheet) (own []string) {
	others := []string{"ServeHTTP", "ReadFrom", "RoundTrip", "RLock"} // of Go's interfaces
	add := func(name string) {
		if len(name) > 3 && !slices.Contains(own, name) && !slices.Contains(others, name) {
			own = append(own, name)
		}
	}
	frames := func(of func(facts.Frame)) {
		for i := range s.Facts {
			for _, stack := range s.Facts[i].Stacks {
				for _, f := range stack.Frames {
					of(f)
				}
			}
		}
	}
	frames(func(f facts.Frame) {
		if f.Owner != facts.User {
			others = append(others, word.FindAllString(f.Function, -1)...)
		}
	})
	for _, part := range word.FindAllString(s.Subject.Module+" "+s.Subject.Name, -1) {
		if part != "github" && part != "example" {
			add(part)
		}
	}
	frames(func(f facts.Frame) {
		if f.Owner != facts.User || strings.HasPrefix(f.Function, casebook) || f.Function == "main.main" {
			return
		}
		add(f.File)
		add(f.Function)
		for _, id := range word.FindAllString(f.Function, -1) {
			if id[1:] != strings.ToLower(id[1:]) { // a capital inside
				add(id)
			}
		}
	})
	return own
}

// TestAnonymous searches anonymous briefs of recorded cases for names of the programs: of every fifth case of three
// groups, with RECORDINGS=all of each.
func TestAnonymous(t *testing.T) {
	race.Skip(t)
	checkout.Need(t)
	names := slices.DeleteFunc(checkout.Cases(t), func(name string) bool {
		return !strings.HasPrefix(name, "unseen-waits/") && !strings.HasPrefix(name, "unseen-third/") &&
			!strings.HasPrefix(name, "foreign/")
	})
	every := 5
	if os.Getenv("RECORDINGS") == "all" {
		every = 1
	}
	looked := 0
	for i, name := range names {
		if i%every != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir := checkout.Folder(t, name)
			s, _, err := assess.Sheet(t.Context(), assess.DiagnoseRequest{What: []string{dir}})
			if err != nil {
				t.Fatal(err)
			}
			hidden, err := brief.Anonymous(s)
			if err != nil {
				t.Fatal(err)
			}
			o := brief.Options{Tokens: brief.MostTokens}
			text := string(brief.Markdown(hidden, o))
			data, err := brief.JSON(hidden, o)
			if err != nil {
				t.Fatal(err)
			}
			whole := " " + text + string(data)
			own := append(ownNames(s), dir)
			for _, name := range own {
				asWord := regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(name) + `($|[^\pL\pN_])`)
				if at := asWord.FindStringIndex(whole); at != nil {
					t.Errorf("%q is in the brief: …%s…", name, whole[max(at[0]-120, 0):min(at[1]+60, len(whole))])
				}
			}
			looked += len(own)
			if shown := len(hidden.Facts); shown == 0 || shown != len(s.Facts) {
				t.Errorf("%d facts of %d", shown, len(s.Facts))
			}
		})
	}
	if looked < 5*len(names)/every {
		t.Errorf("only %d names of %d cases were looked for", looked, len(names)/every)
	}
	t.Logf("%d names of %d cases", looked, len(names)/every)
}
