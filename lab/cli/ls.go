package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/lab"
)

func listCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List the lab's services and their diseases",
		Long: `Ls lists the rows of the lab: what each service is run with, sick and cured,
the finding that it must get, and what was reported of the cure.`,
		Example: `  lab ls
  lab ls --json | jq '.[].name'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return listLabJSON(cmd, lab.Services())
			}
			listLab(cmd, lab.Services())
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the rows as JSON")
	return cmd
}

func listLab(cmd *cobra.Command, services []lab.Service) {
	p := terminal.New(cmd.OutOrStdout())
	for i, s := range services {
		if i > 0 {
			fmt.Fprintln(p.W)
		}
		p.Text("", s.Name+": "+s.Text)
		for _, d := range s.Diseases {
			name := s.Name + "/" + d.Name
			if d.Alone {
				name += " (half an hour; not part of all)"
			}
			p.Text("  ", name)
			p.Text("    sick     ", d.Sick)
			p.Text("    cure     ", d.Cure)
			if d.Fix {
				p.Text("    made by  ", "casebook fix")
			}
			if d.Article != "" {
				p.Text("    article  ", d.Article)
			}
		}
	}
	fmt.Fprintln(p.W)
	p.Text("", "tables: micro-benchmarks of the same subjects")
}

// A labRow is a disease in JSON.
type labRow struct {
	Name    string   `json:"name"`
	Service string   `json:"service"`
	Sick    string   `json:"sick"`
	Cure    string   `json:"cure"`
	Fix     bool     `json:"fix,omitempty"` // casebook fix makes the cure
	Article string   `json:"article,omitempty"`
	Kinds   []string `json:"kinds"` // of findings, one of which the sick form must get
	Key     string   `json:"key"`   // the figure that the cure is for
	Needs   string   `json:"needs,omitempty"`
	Note    string   `json:"note,omitempty"`
}

func listLabJSON(cmd *cobra.Command, services []lab.Service) error {
	rows := []labRow{}
	for _, s := range services {
		for _, d := range s.Diseases {
			rows = append(rows, labRow{s.Name + "/" + d.Name, s.Name, d.Sick, d.Cure, d.Fix, d.Article, d.Want.Kinds, d.Key,
				d.Want.Needs, d.Note})
		}
	}
	e := json.NewEncoder(cmd.OutOrStdout())
	e.SetIndent("", "  ")
	return e.Encode(rows)
}
