package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/gocasebook/casebook/app/ask"
	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/internal/near"
)

// agentsVariable names the file of agents, where --agents does not.
const agentsVariable = "CASEBOOK_AGENTS"

// An agent is one of the file of agents: who is asked, and how much of.
type agent struct {
	ask.Agent
	options assess.AskOptions
}

// timeLimit is how long it may take to answer once.
func (a *agent) timeLimit() time.Duration { return cmp.Or(a.options.Limits.Time, ask.DefaultTime) }

// settings are what the file can say of an agent. They are flags of no command line: what can be set, its type and its
// text are in one place, as with the file of a watch.
func (a *agent) settings() *pflag.FlagSet {
	s := pflag.NewFlagSet("agent", pflag.ContinueOnError)
	s.StringArrayVar(&a.Command, "command", nil, "the program and its arguments, as a list")
	s.StringArrayVar(&a.Env, "env", nil, "names of variables that the command gets beside PATH and HOME")
	s.StringVar((*string)(&a.Protocol), "protocol", "", "openai or anthropic")
	s.StringVar(&a.URL, "url", "", "of the endpoint")
	s.StringVar(&a.Model, "model", "", "as the endpoint calls it")
	s.StringVar(&a.KeyEnv, "key-env", "", "the variable that has the key")
	s.BoolVar(&a.Stream, "stream", false, "have the answer sent as it is made")
	s.BoolVar(&a.PlainHTTP, "plain-http", false, "allow http:// to another machine")
	s.DurationVar(&a.options.Limits.Time, "time", ask.DefaultTime, "for one question")
	s.IntVar(&a.options.Limits.Tokens, "tokens", ask.DefaultTokens, "of an answer")
	s.IntVar(&a.options.Tokens, "brief-tokens", 0, "of the brief")
	s.BoolVar(&a.options.Anonymous, "anonymous", false, "its briefs have no names and no code of the program")
	s.StringArrayVar(&a.options.Keep, "keep", nil, "import paths whose names stay in an anonymous brief")
	return s
}

const (
	keyAgents = "agents"
	keyName   = "name"
)

// An agentsReader reads the file of agents.
type agentsReader struct {
	configReader
	agents []agent
}

// readAgents reads a file of agents and checks them.
func readAgents(flag, name string) ([]agent, error) {
	r := agentsReader{configReader: configReader{flags: new(agent).settings()}}
	err := r.read(flag, name, "agents: and below it a list of agents, each with a name", r.document)
	return r.agents, err
}

func (r *agentsReader) document(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		r.fault(n.Line, "must have agents: and below it a list of agents")
		return
	}
	r.pairs(n, func(key string, value *yaml.Node) {
		if key != keyAgents || value.Kind != yaml.SequenceNode {
			r.fault(value.Line, "has %q; it must have agents: and below it a list of agents", key)
			return
		}
		for _, item := range value.Content {
			r.agent(resolve(item))
		}
	})
	if len(r.agents) == 0 && len(r.faults) == 0 {
		r.fault(n.Line, "names no agent")
	}
}

func (r *agentsReader) agent(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		r.fault(n.Line, "an agent must have a name, and a command or a url")
		return
	}
	var a agent
	var given []setting
	before := len(r.faults)
	r.pairs(n, func(key string, value *yaml.Node) {
		switch {
		case key == keyName:
			a.Name = value.Value
		case r.known(key, value.Line, keyName):
			given = append(given, r.setting(key, value))
		}
	})
	if len(r.faults) > before { // what is missing may be what is wrong
		return
	}
	if err := apply(a.settings(), given); err != nil {
		r.faults = append(r.faults, err.Error())
		return
	}
	if err := errors.Join(a.Check(), a.options.Limits.Check(), checkTokens("brief-tokens", a.options.Tokens),
		r.checkName(&a)); err != nil {
		r.fault(n.Line, "agent %q: %v", a.Name, err)
	}
	r.agents = append(r.agents, a)
}

// checkName refuses what --agent could not tell apart.
func (r *agentsReader) checkName(a *agent) error {
	for i := range r.agents {
		if r.agents[i].Name == a.Name {
			return errors.New("another has the same name")
		}
	}
	return nil
}

// agentsFile is the file of agents: that of --agents, of the variable, or of the user. None in the present folder is
// looked for: whoever wrote a tree could have it name a command.
func agentsFile(given string) (flag, file string, err error) {
	if given != "" {
		return "--agents", given, nil
	}
	if file := os.Getenv(agentsVariable); file != "" {
		return agentsVariable, file, nil
	}
	config := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) { // a relative one is to be ignored, says XDG's specification
		home, err := os.UserHomeDir()
		if err != nil {
			return "", "", err
		}
		config = filepath.Join(home, ".config")
	}
	return "agents", filepath.Join(config, "casebook", "agents.yaml"), nil
}

// configured returns the agents of the file of agents.
func configured(given string) ([]agent, error) {
	flag, file, err := agentsFile(given)
	if err != nil {
		return nil, err
	}
	all, err := readAgents(flag, file)
	if errors.Is(err, fs.ErrNotExist) && given == "" && os.Getenv(agentsVariable) == "" {
		return nil, fmt.Errorf("nobody is configured to be asked; write %s, for instance:\n%s\n"+
			"docs/ask.md has endpoints, too. Nothing is sent before that", file, exampleAgents)
	}
	return all, err
}

const exampleAgents = `  agents:
    - name: mine
      command: [llm, -m, MODEL]    # the brief on standard input, the answer on standard output`

// chosen are the agents of these names; all of them with every, and the only one without a name.
func chosen(all []agent, names []string, every bool) ([]agent, error) {
	switch {
	case every && len(names) > 0:
		return nil, errors.New("--all asks everybody: leave --agent out")
	case every, len(names) == 0 && len(all) == 1:
		return all, nil
	case len(names) == 0:
		return nil, fmt.Errorf("several agents are configured: name one, or more, with --agent (%s), or give --all",
			strings.Join(namesOf(all), ", "))
	}
	var out []agent
	for _, name := range names {
		a, err := agentOf(all, name)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

func agentOf(all []agent, name string) (agent, error) {
	for _, a := range all {
		if a.Name == name {
			return a, nil
		}
	}
	meant := near.Names(name, namesOf(all))
	if len(meant) == 0 {
		meant = namesOf(all)
	}
	return agent{}, fmt.Errorf("no agent is named %q; configured: %s", name, strings.Join(meant, ", "))
}

func namesOf(all []agent) (names []string) {
	for i := range all {
		names = append(names, all[i].Name)
	}
	return names
}
