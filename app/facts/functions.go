package facts

import "iter"

// All are the functions of the evidence with their files, in the order of their names.
func (s *Seen) All() iter.Seq2[string, string] {
	return func(yield func(function, file string) bool) {
		if s == nil {
			return
		}
		for _, name := range s.names {
			if !yield(name, s.functions[name].file) {
				return
			}
		}
	}
}
