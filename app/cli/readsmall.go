package cli

import (
	"fmt"
	"io"
	"os"
)

// maxSmall bounds the files that people write by hand: rules, tokens.
const maxSmall = 1 << 20

// readSmall reads a file that should be small, and no more of one that is not.
func readSmall(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSmall+1))
	if err == nil && len(data) > maxSmall {
		err = fmt.Errorf("%s is larger than %d MiB; is it the right file?", file, maxSmall>>20)
	}
	return data, err
}
