package cli

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/prove/trial"
)

// proveFlags say what to compare, under which load and how.
type proveFlags struct {
	a, b         string
	rev, against string
	aEnv, bEnv   []string
	aArgs, bArgs string
	aName, bName string

	load loadFlags // the requests and the rate; the schedule is the trial's

	slice, warmup, maxTime time.Duration
	ready                  string
	readyTimeout           time.Duration
	profile                time.Duration
	key                    string
	margin                 string

	caseID, dir, file, html string
	finding, opinion        string
	json, silent            bool
}

func (f *proveFlags) add(cmd *cobra.Command) {
	command.Group(cmd, "Sides", f.addSides)
	command.Group(cmd, "Measurement", f.addMeasurement)
	command.Group(cmd, "Results", f.addResults)
	command.Group(cmd, "Requests", f.load.addRequests)
	command.Group(cmd, "Connections", f.load.addConnections)
}

func (f *proveFlags) addSides(fs *pflag.FlagSet) {
	fs.StringVar(&f.a, "a", "", "`command` of A, the old version")
	fs.StringVar(&f.b, "b", "", "`command` of B, the new version")
	fs.StringVar(&f.rev, "rev", "", "git `revision` of A, for the package that COMMAND begins with")
	fs.StringVar(&f.against, "against", "", "git `revision` of B (default: the working tree)")
	fs.StringArrayVar(&f.aEnv, "a-env", nil, "`NAME=value` in the environment of A")
	fs.StringArrayVar(&f.bEnv, "b-env", nil, "`NAME=value` in the environment of B")
	fs.StringVar(&f.aArgs, "a-args", "", "more `arguments` for A")
	fs.StringVar(&f.bArgs, "b-args", "", "more `arguments` for B")
	fs.StringVar(&f.aName, "a-name", "", "`name` of A in the results (default: what differs)")
	fs.StringVar(&f.bName, "b-name", "", "`name` of B in the results")
}

func (f *proveFlags) addMeasurement(fs *pflag.FlagSet) {
	fs.StringVar(&f.load.rate, "rate", "",
		"the request `rate` for each server during its turn: 500 (a second) or 30/m, at random times")
	fs.StringVar(&f.load.pace, "pace", "",
		"a `schedule` that ends, as in casebook load, instead of a rate; each turn is "+
			"a piece of it; or constant: the rate, evenly spaced")
	fs.StringVar(&f.key, "key", "",
		"the `figure` that decides (default: errors and throughput, then cpu_per_request and "+
			"the latencies together)")
	fs.StringVar(&f.margin, "margin", "2%", "ignore a `change` smaller than this")
	fs.DurationVar(&f.maxTime, "max-time", trial.DefaultMaxTime, "give up without an answer after this long")
	fs.DurationVar(&f.slice, "slice", 0, "how long a server's turn is (default: 250ms, longer if a queue needs it)")
	fs.DurationVar(&f.warmup, "warmup", trial.DefaultWarmup, "how long to load a server before it counts")
	fs.StringVar(&f.ready, "ready", "",
		"a `path` that answers when the server is ready (default: wait until its port accepts connections)")
	fs.DurationVar(&f.readyTimeout, "ready-timeout", trial.DefaultReadyTimeout, "how long a server may take to get "+
		"ready")
	fs.DurationVar(&f.profile, "profile", 4*time.Second,
		"how long to take the CPU profiles that show where it changed; -1s: none")
}

func (f *proveFlags) addResults(fs *pflag.FlagSet) {
	fs.StringVar(&f.caseID, "case", "",
		"put the proof into this case, an `ID` or a folder, next to what its finding promised")
	fs.StringVar(&f.finding, "finding", "",
		"the `finding` of that case whose remedy is measured, an ID or a kind (default: the first whose promise the "+
			"figures measure)")
	fs.StringVar(&f.opinion, "opinion", "",
		"the `opinion` of that case whose change is measured, such as O1: the verdict goes to it, and counts for the "+
			"finding at its place if it is better")
	fs.StringVar(&f.dir, "dir", casebook.DefaultDir, "`folder` with the cases")
	fs.StringVarP(&f.file, "out", "o", "", "write the proof, its blocks and the profiles to a `folder`")
	fs.StringVar(&f.html, "html", "", "write one page to this `file`: verdict, distributions, where it changed")
	fs.BoolVar(&f.json, "json", false, "print JSON")
	fs.BoolVar(&f.silent, "silent", false, "print no progress")
}
