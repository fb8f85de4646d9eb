package casefile

import (
	"errors"
	"fmt"
	"os"
)

// Check makes dir (0700) if needed and makes sure, by writing a file there, that it can hold cases. A watch that
// finds out at its first incident that it cannot write has watched for nothing.
func (d Dir) Check() error {
	if err := tryWrite(string(d)); err != nil {
		return fmt.Errorf("the folder %q cannot hold cases: %w", d, explain(err))
	}
	return nil
}

func tryWrite(dir string) error {
	dir, err := makeFolder(dir)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, checkPrefix+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, reserveBytes))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// Dir is a folder that holds cases, each in a folder of its own. It need not exist until the first case is created:
// one that does not exist holds none.
type Dir string
