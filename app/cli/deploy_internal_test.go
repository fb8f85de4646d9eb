package cli

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"
)

// argsOf are the arguments of the containers of a manifest.
func argsOf(t *testing.T, file string) (all [][]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var o struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers     []struct{ Args []string }
					InitContainers []struct{ Args []string } `yaml:"initContainers"`
				}
			}
		}
	}
	if err := yaml.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	for _, c := range append(o.Spec.Template.Spec.Containers, o.Spec.Template.Spec.InitContainers...) {
		if len(c.Args) > 0 {
			all = append(all, c.Args)
		}
	}
	return all
}

// The commands of the manifests are ones that casebook knows.
func TestManifestsAreCommands(t *testing.T) {
	for file, command := range map[string]func() *cobra.Command{
		"../deploy/base/deployment.yaml": serveCommand,
		"../deploy/sidecar.yaml":         watchCommand,
	} {
		all := argsOf(t, file)
		if len(all) != 1 {
			t.Fatalf("%s has the arguments %v; want those of one container", file, all)
		}
		cmd := command()
		if all[0][0] != cmd.Name() {
			t.Errorf("%s is casebook %s", file, all[0][0])
		}
		if err := cmd.ParseFlags(all[0][1:]); err != nil {
			t.Errorf("%s: casebook %v: %v", file, all[0], err)
		}
	}
}

// The flags of the chart are ones that casebook serve knows, too.
func TestChartFlags(t *testing.T) {
	text, err := os.ReadFile("../deploy/chart/templates/deployment.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var flags []string
	for line := range strings.Lines(string(text)) {
		_, flag, found := strings.Cut(line, "--")
		if !found || strings.HasPrefix(flag, "-") || strings.HasPrefix(strings.TrimSpace(line), "---") {
			continue
		}
		end := strings.IndexFunc(flag, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' })
		if end < 0 {
			end = len(flag)
		}
		flags = append(flags, flag[:end])
	}
	if !slices.Contains(flags, "kubernetes") || !slices.Contains(flags, "peers") {
		t.Fatalf("the chart has the flags %v", flags)
	}
	for _, name := range flags {
		if serveCommand().Flags().Lookup(name) == nil {
			t.Errorf("the chart has --%s, which casebook serve does not know", name)
		}
	}
}
