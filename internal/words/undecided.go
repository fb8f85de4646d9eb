package words

import "github.com/gocasebook/casebook/casefile"

// An Open is what the same capture would decide: one profile that is missing leaves a dozen kinds undecided.
type Open struct {
	Next    string // what to capture; may be empty
	Reasons []Reason
}

// A Reason is why kinds of findings could not be judged.
type Reason struct {
	Text  string
	Kinds []string
}

// Undecided groups what could not be judged by what to capture next, then by the reason, in the order of the list.
func Undecided(all []casefile.Undecided) []Open {
	var out []Open
	at := make(map[string]int)    // of what to capture
	in := make(map[[2]string]int) // of a reason, within that
	for _, u := range all {
		i, known := at[u.CaptureNext]
		if !known {
			i = len(out)
			at[u.CaptureNext], out = i, append(out, Open{Next: u.CaptureNext})
		}
		key := [2]string{u.CaptureNext, u.Reason}
		k, known := in[key]
		if !known {
			k = len(out[i].Reasons)
			in[key], out[i].Reasons = k, append(out[i].Reasons, Reason{Text: u.Reason})
		}
		out[i].Reasons[k].Kinds = append(out[i].Reasons[k].Kinds, u.Kind)
	}
	return out
}

// Kinds are those of all reasons.
func (o Open) Kinds() []string {
	var out []string
	for _, r := range o.Reasons {
		out = append(out, r.Kinds...)
	}
	return out
}
