package foreign

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gocasebook/casebook/vitals"
)

// courseEnd ends the names of files that have the vitals of a service from the beginning of its watch to the end.
const courseEnd = ".vitals.jsonl.gz"

// KeepCourse writes the vitals of a service into dir, so that rules can be tested on them.
func KeepCourse(dir, service string, samples []vitals.Sample) error {
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	err = vitals.WriteJSONL(zip, samples, nil, nil)
	if err = errors.Join(err, zip.Close()); err != nil {
		return fmt.Errorf("keeping the vitals of %s: %w", service, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, service+courseEnd), packed.Bytes(), 0o644)
}

// ReadCourse reads what KeepCourse wrote.
func ReadCourse(dir, service string) ([]vitals.Sample, error) {
	f, err := os.Open(filepath.Join(dir, service+courseEnd))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("reading the vitals of %s: %w", service, err)
	}
	_, samples, err := vitals.ReadJSONL(zip)
	return samples, err
}
