package brief

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/gocasebook/casebook/app/anonymize"
)

// Sentences of facts are ours, with names in them. A word that has a form that English has not (a dot, a bracket, an
// underscore, a capital inside) is a name, and gets a stand-in unless it is known to be one that stays.
var (
	identifiers = regexp.MustCompile(`[\pL_][\pL\pN_]*`)
	wordsOf     = regexp.MustCompile("[^\\s\"'“”‘’`,;!?…–—]+")
	processes   = regexp.MustCompile(`(process \d+ \()([^,)]+)(?:(, of )([^\s)]+))?`)
	caseIDs     = regexp.MustCompile(`\d{8}T\d{6}Z-[\pL\pN_-]+`)
	addresses   = regexp.MustCompile(`[\pL\pN+.-]+://[^\s"'` + "`" + `/]+`)
	hosts       = regexp.MustCompile(`^[\pL\pN_.-]*[\pL\pN](:\d{2,5})$|^\d+\.\d+\.\d+\.\d+$|^\[[0-9a-fA-F:]+\](:\d+)?$`)
	dotted      = regexp.MustCompile(`^[\pL\pN_-]+(\.[\pL\pN_-]+)+$`)
	lines       = regexp.MustCompile(`:\d+$`)
	plainNumber = regexp.MustCompile(`^(v|go)?\d[\pN.,]*[\pL%]*(/\pL+)?$`)
	ofPprof     = regexp.MustCompile(`^(http://HOST)?/debug/(pprof(/[a-z]+)?|vars)/?(\?seconds=\d+|\?debug=\d)?$`)
)

// text is a sentence with stand-ins for names.
func (a *anonymizer) text(text string) string {
	text = caseIDs.ReplaceAllString(text, "CASE")
	text = addresses.ReplaceAllString(text, "http://HOST")
	text = processes.ReplaceAllStringFunc(text, func(found string) string {
		m := processes.FindStringSubmatch(found)
		of := m[4]
		if of != "" {
			of = a.names.Program(of)
		}
		return m[1] + a.names.Program(m[2]) + m[3] + of
	})
	return wordsOf.ReplaceAllStringFunc(text, a.word)
}

// word is a word of a sentence, with what is before and behind it.
func (a *anonymizer) word(word string) string {
	end := len(strings.TrimRight(word, ".:"))
	if end == 0 {
		return word
	}
	start, end := inParentheses(word, end)
	return word[:start] + a.name(word[start:end]) + word[end:]
}

// name is the stand-in of a word that may be a name.
func (a *anonymizer) name(name string) string {
	line := lines.FindString(name)
	bare := strings.TrimSuffix(name, line)
	switch {
	case a.exact[name] != "":
		return a.exact[name]
	case a.exact[bare] != "":
		return a.exact[bare] + line
	case plainNumber.MatchString(name), ofPprof.MatchString(name), a.names.Stays(name):
		return name
	case isPath(bare) && !a.names.Stays(strings.TrimSuffix(bare, "/"+base(bare))):
		return a.names.Path(bare) + line
	case anonymize.IsSourceFile(bare):
		return a.names.File(bare, "") + line
	case hosts.MatchString(name):
		return "HOST"
	}
	return a.parts(name)
}

// parts puts stand-ins for the parts of a word that are names of the program.
func (a *anonymizer) parts(name string) string {
	first := identifiers.FindString(name)
	compound := strings.ContainsAny(name, "./_*(:@=[\\")
	foreign := compound && !a.never[first] && a.kept[first] && strings.HasPrefix(name, first)
	hidden := compound && strings.HasPrefix(name, first+".") && (first == "main" || a.never[first])
	host := dotted.MatchString(name) && len(name) > len("i.e.") && strings.ToLower(name) == name && !foreign
	return identifiers.ReplaceAllStringFunc(name, func(id string) string {
		switch {
		case id == "main" || strings.ToUpper(id) == id: // GOMEMLIMIT
			if a.never[id] {
				return a.names.Word(id)
			}
			return id
		case a.never[id]:
			return a.names.Word(id)
		case foreign:
			return id
		case hidden, host, a.own[id] && (compound || inner(id)):
			return a.names.Identifier(id)
		case strings.Contains(id, "_"):
			return a.names.Signal(id)
		case inner(id) && unicode.IsLower([]rune(id)[0]):
			return a.names.Word(id)
		}
		return id
	})
}

// inner reports whether a word has a capital inside.
func inner(id string) bool { return strings.ContainsFunc(id[1:], unicode.IsUpper) }

// isPath reports whether a word is a path, or one of import: no unit, and no pair of words.
func isPath(name string) bool {
	first, _, more := strings.Cut(name, "/")
	return more && (first == "" || first == "." || first == "~" || strings.Count(name, "/") > 1 ||
		dotted.MatchString(first))
}

func base(file string) string { return file[strings.LastIndexByte(file, '/')+1:] }
