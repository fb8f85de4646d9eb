package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// A Remedy is one thing to do about a kind of finding, as its detector knows it before it has seen any evidence.
type Remedy struct {
	Calls string   // it applies if the line calls a function that begins with this; "" is any
	Not   []string // but not with one of these
	casefile.Remedy
}

// Line in a Remedy's text is replaced by the place to change.
const Line = "{line}"

// byChange, byPackage and byValue make remedies that change code, import a package, and set a value.
func byChange(calls, title, text, price string) Remedy {
	return Remedy{Calls: calls, Remedy: doChange(title, text, price)}
}

func byPackage(calls, title, text, price string) Remedy {
	return Remedy{Calls: calls, Remedy: takePackage(title, text, price)}
}

func byValue(calls, title, text, price string) Remedy {
	return Remedy{Calls: calls, Remedy: setValue(title, text, price)}
}

// but leaves out calls that begin with one of the prefixes.
func (r Remedy) but(prefixes ...string) Remedy {
	r.Not = prefixes
	return r
}

// remediesAt are remedies for a finding, with the place to change in their texts.
func remediesAt(place string, rs ...Remedy) []casefile.Remedy {
	out := make([]casefile.Remedy, 0, len(rs))
	for _, r := range rs {
		r.Text = strings.ReplaceAll(r.Text, Line, place)
		out = append(out, r.Remedy)
	}
	return out
}

func doChange(title, text, price string) casefile.Remedy {
	return casefile.Remedy{Kind: casefile.Change, Title: title, Text: text, Price: price}
}

func setValue(title, text, price string) casefile.Remedy {
	return casefile.Remedy{Kind: casefile.Value, Title: title, Text: text, Price: price}
}

func takePackage(title, text, price string) casefile.Remedy {
	return casefile.Remedy{Kind: casefile.Package, Title: title, Text: text, Price: price}
}
