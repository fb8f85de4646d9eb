// Package clone copies values with everything below them.
package clone

import (
	"bytes"
	"encoding/gob"
	"fmt"
)

// Deep is a copy that shares nothing with src.
func Deep[T any](src *T) (*T, error) {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(src); err != nil {
		return nil, fmt.Errorf("cloning %T: %w", src, err)
	}
	dst := new(T)
	if err := gob.NewDecoder(&buf).Decode(dst); err != nil {
		return nil, fmt.Errorf("cloning %T: %w", src, err)
	}
	return dst, nil
}
