package diagnose

func kindsOf(rep Report) (kinds []string) {
	for _, f := range rep.Findings {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}
