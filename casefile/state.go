package casefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// State is what a watch remembers across restarts in addition to its cases: cool-downs, what the hour's captures have
// cost. It is in the same folder, one JSON file per name, and is never exported.
const (
	statePrefix = ".state-"
	maxState    = 1 << 20 // bytes; a real one has a few thousand
)

// SaveState writes v as the state of that name: at any moment the file is the old state or the whole new one.
func (d Dir) SaveState(name string, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = saveState(string(d), stateName(name), data)
	}
	if err != nil {
		return fmt.Errorf("saving the state of %s: %w", name, explain(err))
	}
	return nil
}

func saveState(dir, file string, data []byte) error {
	dir, err := makeFolder(dir)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	return errors.Join(replaceFile(root, file, data), root.Close())
}

// LoadState reads what SaveState wrote into v. Without a state it leaves v as it is and reports false.
func (d Dir) LoadState(name string, v any) (found bool, err error) {
	root, err := os.OpenRoot(string(d))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	var data []byte
	if err == nil {
		data, err = readFile(root, stateName(name), maxState)
		err = errors.Join(err, root.Close())
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err == nil:
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		return false, fmt.Errorf("reading the state of %s: %w; it starts again", name, explain(err))
	}
	return true, nil
}

// stateName is a file name for what may be any text, such as a URL. Names that differ only in the characters left out
// share a state.
func stateName(name string) string {
	slug := strings.Map(func(r rune) rune {
		if isNameChar(r) && r != '/' {
			return r
		}
		return '-'
	}, name)
	return statePrefix + slug[:min(len(slug), 100)] + ".json"
}
