package bench

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/app/lab"
	"github.com/gocasebook/casebook/internal/near"
)

// A Row is one disease of one service.
type Row struct {
	Service lab.Service
	Disease lab.Disease
}

// Name is the row's name: "worker/zlib-best".
func (r Row) Name() string { return r.Service.Name + "/" + r.Disease.Name }

// All names every row in Select.
const All = "all"

// Select gives the rows of services that names name: "all", a service, or service/disease; each once, in the order of services.
func Select(services []lab.Service, names []string) ([]Row, error) {
	wanted := make(map[string]bool)
	var known []string
	for _, row := range rowsOf(services) {
		known = append(known, row.Name())
	}
	for _, s := range services {
		known = append(known, s.Name)
	}
	for _, name := range names {
		if err := checkName(name, append(known, All)); err != nil {
			return nil, err
		}
		wanted[name] = true
	}
	var rows []Row
	for _, row := range rowsOf(services) {
		if wanted[All] || wanted[row.Service.Name] || wanted[row.Name()] {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func rowsOf(services []lab.Service) []Row {
	var rows []Row
	for _, s := range services {
		for _, d := range s.Diseases {
			rows = append(rows, Row{s, d})
		}
	}
	return rows
}

// checkName wants a name that is known, and says which one may have been meant.
func checkName(name string, known []string) error {
	for _, k := range known {
		if k == name {
			return nil
		}
	}
	if meant := near.Names(name, known); len(meant) > 0 {
		return fmt.Errorf("the lab has no %q; did you mean %s? `casebook lab ls` lists all", name, strings.Join(meant, " or "))
	}
	return fmt.Errorf("the lab has no %q; `casebook lab ls` lists what there is", name)
}
