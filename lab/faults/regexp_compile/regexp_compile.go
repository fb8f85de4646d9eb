// Package regexp_compile checks the fields of a form with regular expressions.
//
// The fault: each check compiles its expression.
package regexp_compile

import (
	"net/http"
	"regexp"

	"github.com/gocasebook/casebook/lab/faults"
)

// Patterns of the fields, by name.
const (
	postcode = `^[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}$`
	phone    = `^\+?[0-9]{1,3}[-. ]?\(?[0-9]{1,4}\)?([-. ]?[0-9]{2,5}){1,4}$`
	email    = `^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$`
)

// A Form checks addresses.
type Form struct {
	fields []field
	match  func(pattern, text string) bool
}

type field struct{ name, pattern string }

func newForm(match func(pattern, text string) bool) *Form {
	return &Form{[]field{{"postcode", postcode}, {"phone", phone}, {"email", email}}, match}
}

// ServeHTTP answers which field of the query is wrong.
func (f *Form) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for _, x := range f.fields {
		if !f.match(x.pattern, q.Get(x.name)) {
			http.Error(w, x.name+" is not valid", http.StatusUnprocessableEntity)
			return
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

// matches compiles the pattern for every field it checks.
func matches(pattern, text string) bool {
	return regexp.MustCompile(pattern).MatchString(text)
}

// compiled keeps what was compiled at start-up.
func compiled() func(pattern, text string) bool {
	known := map[string]*regexp.Regexp{}
	for _, p := range []string{postcode, phone, email} {
		known[p] = regexp.MustCompile(p)
	}
	return func(pattern, text string) bool { return known[pattern].MatchString(text) }
}

func load(perSecond float64) []faults.Call {
	return []faults.Call{{Path: "/address?postcode=SW1A+1AA&phone=020+7946+0958&email=ada@example.org",
		PerSecond: perSecond}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "regexp-compile", Text: "a form's fields are checked with expressions compiled at each check",
		Culprit:  "regexp_compile.matches",
		Faulty:   func() faults.Service { return faults.Service{Handler: newForm(matches), Load: load(3000)} },
		Repaired: func() faults.Service { return faults.Service{Handler: newForm(compiled()), Load: load(3000)} },
		Limit:    func() faults.Service { return faults.Service{Handler: newForm(matches), Load: load(450)} },
	}
}
