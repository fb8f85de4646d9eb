package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/store/driver"
)

// storeProgram is casebook with the drivers of databases and buckets: app/cmd/casebook-store. They are 23 modules, a
// quarter of what compiling casebook takes, and most people keep cases in a folder.
const storeProgram = "casebook-store"

// startedBy is a variable by which casebook tells the program that it runs its own version.
const startedBy = "CASEBOOK_STARTED_BY"

// needDrivers goes on in the program that has the drivers, where this one has none.
func needDrivers() error {
	if driver.Linked() != nil {
		return sameVersion(os.Getenv(startedBy), command.Version())
	}
	path, err := findStoreProgram()
	if err != nil {
		return err
	}
	return become(path, append([]string{path}, os.Args[1:]...), append(os.Environ(), startedBy+"="+command.Version()))
}

// findStoreProgram looks beside this program, and then where a shell would.
func findStoreProgram() (string, error) {
	name := storeProgram
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("a store needs databases that this casebook was built without; %s has them, and is "+
			"neither beside casebook nor in PATH:\n%s", storeProgram, howToInstall(command.Version()))
	}
	return path, nil
}

// howToInstall says how to get the program of a version.
func howToInstall(version string) string {
	if version, _, _ = strings.Cut(version, " "); strings.HasPrefix(version, "v") {
		return "go install github.com/gocasebook/casebook/app/cmd/" + storeProgram + "@" + version
	}
	return "make build-store (in the checkout that casebook was built from)"
}

// sameVersion refuses a casebook of another version: its flags may have another meaning, and its tables other columns.
func sameVersion(theirs, ours string) error {
	if theirs == "" || theirs == ours {
		return nil
	}
	return fmt.Errorf("casebook is %s, and %s is %s; install both of one version", theirs, storeProgram, ours)
}
