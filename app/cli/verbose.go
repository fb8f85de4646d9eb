package cli

import "github.com/spf13/pflag"

// addVerbose adds --verbose. It was --all, which still works: scripts have it.
func addVerbose(flags *pflag.FlagSet, verbose *bool, usage string) {
	flags.BoolVarP(verbose, "verbose", "v", false, usage)
	flags.BoolVar(verbose, "all", false, "the older name of --verbose")
	_ = flags.MarkHidden("all") // fails without such a flag only
}

// inFullBy is the flag that prints what is said in short; "" when all is said.
func inFullBy(verbose bool) string {
	if verbose {
		return ""
	}
	return "--verbose"
}
