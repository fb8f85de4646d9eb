package cli

import (
	"fmt"
	"io"
	"os"
)

// maxSmall bounds the files that people write by hand: rules, tokens.
const maxSmall = 1 << 20

// readSmall reads a file that should be small, and no more of one that is not.
func readSmall(file string) ([]byte, error) { return readBounded(file, maxSmall) }

// readBounded reads a file that should have at most limit bytes, and no more of one that has.
func readBounded(file string, limit int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s is larger than %d MiB; is it the right file?", file, limit>>20)
	}
	return data, err
}
