package lab

import "slices"

// fixedRows are diseases that have a second row, in which `casebook fix` makes the cure.
var fixedRows = map[string]struct {
	still []string
	note  string
}{
	"phones/gcache":    {},
	"ads/sprintf-keys": {},
	"content/match": {[]string{"alloc-map-temp"}, "The set is made for each request, which is found in the cured form. " +
		"That both lists ascend, so that halving does without, is not to be seen in the types."},
}

// withFixes adds a row with the cure of `casebook fix` behind each of fixedRows.
func withFixes(services []Service) []Service {
	for i := range services {
		s := &services[i]
		for k := 0; k < len(s.Diseases); k++ {
			if row, ok := fixedRows[s.Name+"/"+s.Diseases[k].Name]; ok {
				s.Diseases = slices.Insert(s.Diseases, k+1, s.Diseases[k].fixed())
				f := &s.Diseases[k+1]
				f.Want.Still, f.Note = row.still, row.note
				k++
			}
		}
	}
	return services
}

// fixed is the disease with the cure that `casebook fix` makes of its sick form.
func (d Disease) fixed() Disease {
	d.Name += "-fix"
	d.Cure = "what casebook fix makes of it"
	d.CuredArgs, d.CuredEnv, d.Fix = d.SickArgs, d.SickEnv, true
	return d
}
