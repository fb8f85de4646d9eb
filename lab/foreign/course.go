package foreign

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/vitals"
)

// courseEnd ends the names of files that have the vitals of a service from the beginning of its watch to the end.
const courseEnd = ".vitals.jsonl"

// KeepCourse puts the vitals of a service into an archive, such as testdata/courses, so that rules can be tested on
// them. It takes the place of what the archive has of that service.
func KeepCourse(name, service string, samples []vitals.Sample) error {
	var course bytes.Buffer
	if err := vitals.WriteJSONL(&course, samples, nil, nil); err != nil {
		return fmt.Errorf("keeping the vitals of %s: %w", service, err)
	}
	dir := filepath.Dir(name)
	set, name := archive.Set(filepath.Dir(dir)), filepath.Base(dir)+"/"+filepath.Base(name)
	kept := make(archive.Files)
	if set.Has(name) {
		var err error
		if kept, err = set.Case(name); err != nil {
			return err
		}
	}
	kept[service+courseEnd] = course.Bytes()
	_, err := set.Put(name, kept)
	return err
}

// ReadCourse reads what KeepCourse kept.
func ReadCourse(name, service string) ([]vitals.Sample, error) {
	course, err := archive.Set("").ReadFile(filepath.ToSlash(name) + "/" + service + courseEnd)
	if err != nil {
		return nil, err
	}
	_, samples, err := vitals.ReadJSONL(bytes.NewReader(course))
	if err != nil {
		return nil, fmt.Errorf("reading the vitals of %s: %w", service, err)
	}
	return samples, nil
}
