package play

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/internal/near"
	"github.com/gocasebook/casebook/lab"
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

// Select gives the rows of services that names name: "all", a service, or service/disease; each once, in the order of
// services. Rows that are played alone are named by service/disease only.
func Select(services []lab.Service, names []string) ([]Row, error) {
	wanted := make(map[string]bool)
	diseases, whole := []string{}, []string{All}
	for _, row := range Rows(services) {
		diseases = append(diseases, row.Name())
	}
	for _, s := range services {
		whole = append(whole, s.Name)
	}
	for _, name := range names {
		known := whole
		if strings.Contains(name, "/") {
			known = diseases
		}
		if err := checkName(name, known); err != nil {
			return nil, err
		}
		wanted[name] = true
	}
	var rows []Row
	for _, row := range Rows(services) {
		if !row.Disease.Alone && (wanted[All] || wanted[row.Service.Name]) || wanted[row.Name()] {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// Rows lists every row of services, in their order.
func Rows(services []lab.Service) []Row {
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
	if slices.Contains(known, name) {
		return nil
	}
	if meant := near.Names(name, known); len(meant) > 0 {
		return fmt.Errorf("the lab has no %q; did you mean %s? `lab ls` lists all", name, strings.Join(meant, " or "))
	}
	return fmt.Errorf("the lab has no %q; `lab ls` lists what there is", name)
}
