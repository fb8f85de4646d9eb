package main

// root is the path of the root module. That of the others is root/dir.
const root = "github.com/gocasebook/casebook"

// A module is a folder with a go.mod. Every one of this repository has a row in modules.
type module struct {
	dir     string // below the repository; "." is the root module
	private string // why it is not released; "" where it is
	maxZip  int64  // bytes; 0 is no limit

	commands []command // what people go install
	imports  []string  // packages that they import, below the module; "." is the module's own
	examples string    // a file of examples, below the module, which are built and run too
}

// A command is proved by installing it and by running it.
type command struct {
	dir  string   // of its package, below the module
	args []string // that make it print its version
}

// modules are in the order of a release: those that others require come first.
var modules = []module{
	{dir: ".", maxZip: maxRootZip, examples: "example_test.go",
		imports: []string{".", "middleware"}},
	{dir: "remedy", imports: []string{"cache", "batch", "hedge", "gctune"}},
	{dir: "holmes", imports: []string{"."}},
	{dir: "app", commands: []command{{"cmd/casebook", []string{"version"}}, {"cmd/casebook-store", []string{"version"}}}},
	{dir: "remedy/hedge/hedgegrpc", imports: []string{"."}},

	{dir: "diagnose/testdata", private: "programs that evidence is recorded from, and what tests want of it"},
	{dir: "evidence", private: "recorded evidence, which only tests read"},
	{dir: "internal/tests", private: "tests that judge recorded evidence or join modules"},
	{dir: "docs", private: "the documentation"},
	{dir: ".ci", private: "what CI runs"},
	{dir: "lab", private: "the demo and the services that Casebook is proved on: run from a checkout"},
	{dir: "lab/modules", private: "services that evidence is recorded from"},
	{dir: "lab/holdout3", private: "services that evidence is recorded from"},
	{dir: "app/cli/testdata/escape/shop", private: "source that tests read"},
	{dir: "app/cli/testdata/lint/shop", private: "source that tests read"},
	{dir: "app/fix/rewrite/testdata/modules", private: "source that tests read"},
	{dir: "app/escape/testdata/cases", private: "source that tests read"},
	{dir: "app/escape/testdata/hot", private: "source that tests read"},
	{dir: "app/settle/testdata/src", private: "source that tests read"},
	{dir: "app/store/testdata/gateway", private: "an S3 server that tests build"},
	{dir: "lab/holdout4", private: "services that evidence is recorded from"},
	{dir: "lab/holdout5", private: "services that evidence is recorded from"},
	{dir: "lab/holdout6", private: "services that evidence is recorded from"},
	{dir: "lab/answers/programs/bids", private: "a program that answers are about, with its test"},
	{dir: "lab/answers/programs/history", private: "a program that answers are about, with its test"},
	{dir: "lab/answers/programs/parcels", private: "a program that answers are about, with its test"},
	{dir: "lab/answers/programs/slugs", private: "a program that answers are about, with its test"},
	{dir: "lab/answers/programs/tariffs", private: "a program that answers are about, with its test"},
	{dir: "lab/holmes", private: "a test"},
	{dir: "lab/bench/engines", private: "a test"},
	{dir: "lab/bench/holmes", private: "a benchmark"},
	{dir: "lab/bench/protobuf", private: "a benchmark"},
	{dir: "lab/dist", private: "builds the files that people download"},
	{dir: "lab/kube/server", private: "a real kube-apiserver for tests"},
	{dir: "lab/web", private: "builds the scripts of the pages"},
	{dir: "remedy/cache/bench", private: "a benchmark"},
	{dir: "remedy/gctune/bench", private: "a benchmark"},
	{dir: "remedy/hedge/bench", private: "a benchmark"},
	{dir: "diagnose/known/rows", private: "text, which the root module has packed"},
}

// maxRootZip is how many bytes `go get` of the root module may download, since everybody does who imports Casebook.
// With the recorded evidence it was 15 MB, with remedy and holmes 2.4 MB. It is to come down to 1.5 MB. Others:
// go.uber.org/zap 0.3 MB, franz-go 1.0 MB, google/pprof 5.0 MB.
// In CI it is 8 KB more than in a fresh clone: go list writes go.work.sum. What experts know of modules (rowsFile) is data
// beside the code, packed: it has a bound of its own, and each binary has it as it is.
const (
	maxRootZip = 1_725_000 + maxRowsZip
	maxRowsZip = 250_000
	rowsFile   = "diagnose/known/rows.gz"
)

// What a clone may be: everybody has it who works on Casebook. As folders the recordings made 15,418 files and 136 MB of
// it, as tar.gz 75 MB on a disk; as tar.zst it had 60, and has 56 since vitals are kept to six digits.
const (
	maxFiles = 5_500
	maxDisk  = 60_000_000
)

// released are the modules that people can go get.
func released() (list []module) {
	for _, m := range modules {
		if m.private == "" {
			list = append(list, m)
		}
	}
	return list
}

func (m module) path() string { return below(root, m.dir) }

// tag is the name by which git, and so the go command, knows a version of the module.
func (m module) tag(version string) string {
	if m.dir == "." {
		return version
	}
	return m.dir + "/" + version
}

// below joins a path with one below it, where "." stands for the first itself.
func below(path, dir string) string {
	if dir == "." {
		return path
	}
	return path + "/" + dir
}
