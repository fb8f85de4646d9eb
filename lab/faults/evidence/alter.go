package evidence

import (
	"fmt"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
)

// AlterCPU makes of the CPU profiles what another tool between the process and the reader would make of them. A nil
// alter leaves them as they are.
func (m *Manifest) AlterCPU(alter func(*profile.Profile) error) error {
	for i := range m.Evidence {
		f := &m.Evidence[i]
		if alter == nil || f.Kind != casefile.CPU {
			continue
		}
		p, err := profile.ParseData(f.Data)
		if err == nil {
			err = alter(p)
		}
		if err == nil {
			f.Data, err = encode(p)
		}
		if err != nil {
			return fmt.Errorf("altering %s: %w", f.File, err)
		}
	}
	return nil
}
