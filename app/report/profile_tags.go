package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
)

// The values of a label can be frames of a profile's graph: what an endpoint or a tenant costs is then a frame like any
// other, with filters, search and a base. The frames are made when the profile is read, so each choice is a page of its
// own, whose address has it.

// A tagChoice is one end of the stacks, and which label may stand there.
type tagChoice struct {
	Text, Where string
	Links       []link
}

// maxTags is how many labels a page offers: those with the largest share.
const maxTags = 12

// Valid says what of a page's address cannot be.
func (in *ProfileInput) Valid() error {
	for _, key := range []string{in.TagRoot, in.TagLeaf} {
		if len(key) > stacks.MaxLabelKey {
			return fmt.Errorf("the label has %d bytes, and %d are read", len(key), stacks.MaxLabelKey)
		}
	}
	return nil
}

// labels are what is read of the profile and its base.
func (in *ProfileInput) labels() *stacks.Labels {
	return &stacks.Labels{Root: in.TagRoot, Leaf: in.TagLeaf}
}

// address is that of the page with another base, or without one.
func (in *ProfileInput) address(base string) string {
	return evidenceURL(in.Case.ID, "profile", "file", in.File, "base", base, "tagroot", in.TagRoot, "tagleaf",
		in.TagLeaf)
}

// tag offers the labels that the profile has, and says what those that are chosen do not say themselves.
func (p *profilePage) tag(in ProfileInput) {
	g := p.Graph
	p.Tagged = in.TagRoot+in.TagLeaf != ""
	if g.Problem != "" || len(g.Labels) == 0 && !p.Tagged {
		return
	}
	labels := slices.Clone(g.Labels)
	slices.SortStableFunc(labels, func(a, b stacks.Label) int {
		return cmp.Compare(b.Shares[g.Default], a.Shares[g.Default])
	})
	for _, key := range slices.Concat(stacks.Keys(in.TagRoot), stacks.Keys(in.TagLeaf)) {
		if !slices.ContainsFunc(labels, func(l stacks.Label) bool { return l.Key == key }) {
			g.Notes = append(g.Notes, fmt.Sprintf("No sample has the label %q.", key))
		}
	}
	if len(labels) > maxTags {
		more := count(float64(len(labels) - maxTags))
		g.Notes = append(g.Notes, "The profile has "+more+" more labels, of a smaller share.")
		labels = labels[:maxTags]
	}
	base := ""
	if in.Base != nil {
		base = in.Base.Case.ID + "/" + in.Base.File
	}
	for _, end := range []struct {
		text, where string
		key         func(*ProfileInput) *string
	}{{"At the root", "at the root", func(in *ProfileInput) *string { return &in.TagRoot }},
		{"At the leaves", "at the leaves", func(in *ProfileInput) *string { return &in.TagLeaf }}} {
		at := func(key, detail string) link {
			to := in
			keys, chosen := toggled(*end.key(&in), key)
			*end.key(&to) = keys
			return link{Text: cmp.Or(key, "none"), Detail: detail, Here: chosen, URL: to.address(base)}
		}
		c := tagChoice{Text: end.text, Where: end.where, Links: []link{at("", "")}}
		for _, l := range labels {
			c.Links = append(c.Links, at(l.Key, g.labelText(l)))
		}
		p.Tags = append(p.Tags, c)
	}
}

// toggled is a list of keys with another one at its end, or without it if it is there: a link to each key, and a second
// one to take it away. Without a key it is the empty list.
func toggled(list, key string) (keys string, chosen bool) {
	all := stacks.Keys(list)
	if key == "" {
		return "", len(all) == 0
	}
	if i := slices.Index(all, key); i >= 0 {
		return strings.Join(slices.Delete(all, i, i+1), ","), true
	}
	return strings.Join(append(all, key), ","), false
}

// labelText says how much of a profile has a label.
func (g *graph) labelText(l stacks.Label) string {
	values := number.Things(int64(l.Values), "value")
	if l.Values == stacks.MaxLabelValues {
		values = count(stacks.MaxLabelValues) + " values or more"
	}
	return percent(l.Shares[g.Default]) + " of " + g.Types[g.Default].Name + ", " + values
}
