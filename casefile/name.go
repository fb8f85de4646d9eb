package casefile

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Files of a case's folder that are not evidence. Names that begin with a dot are ours and never travel.
const (
	caseName    = "case.json"
	lockName    = ".lock"     // held by the process that changes the case
	reserveName = ".reserve"  // see reserve
	importName  = ".imported" // when a case came out of a zip
	partPrefix  = ".part-"    // a file that is being written
	checkPrefix = ".check-"   // a file that shows that the folder can be written to
	tmpPrefix   = ".tmp-"     // a folder whose case is not finished, followed by its ID
	scratchName = ".scratch-" // a folder that nobody needs: being made, imported or removed
)

// maxName bounds a file's name, in bytes, including its folders.
const maxName = 200

// checkName refuses a file name that is not the same, plain, inside name on every system: at most maxName of ASCII
// letters, digits and "._-+=", in folders separated by slashes, no part beginning or ending with a dot. This leaves
// no way to write "..", an absolute path, a drive, a stream or a hidden file.
func checkName(name string) error {
	if name == "" || len(name) > maxName {
		return fmt.Errorf("file name %.40q has %d bytes, want 1 to %d", name, len(name), maxName)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || part[len(part)-1] == '.' {
			return fmt.Errorf("file name %q: a part is empty or begins or ends with a dot", name)
		}
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return !isNameChar(r) }); i >= 0 {
		return fmt.Errorf("file name %q: byte %d is not an ASCII letter, a digit or one of ._-+=/", name, i)
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) { // CON, NUL … on Windows
		return fmt.Errorf("file name %q is reserved on this system", name)
	}
	return nil
}

func isNameChar(r rune) bool {
	return isSlugChar(r) || 'A' <= r && r <= 'Z' || strings.ContainsRune("._-+=/", r)
}

// A nameSet has the names that are used in a case's folder, including case.json. Names that differ in upper and lower
// case only, or of which one is the other's folder, cannot live side by side on every system.
type nameSet map[string]bool // by lower-case name: true for a file, false for a folder on the way to one

func newNameSet() nameSet { return nameSet{caseName: true} }

// take checks a name and gives it away.
func (s nameSet) take(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	low := strings.ToLower(name)
	if _, taken := s[low]; taken {
		return fmt.Errorf("file name %q is already taken in this case", name)
	}
	for i, r := range low {
		if r == '/' && s[low[:i]] {
			return fmt.Errorf("file name %q: %q is a file in this case", name, name[:i])
		}
	}
	for i, r := range low {
		if r == '/' {
			s[low[:i]] = false
		}
	}
	s[low] = true
	return nil
}

// free takes a file's name back.
func (s nameSet) free(name string) { delete(s, strings.ToLower(name)) }

// attachmentNames returns the names that a file next to the evidence of c, such as report.html, cannot have.
func attachmentNames(c *Case) (nameSet, error) {
	names := newNameSet()
	for i := range c.Evidence {
		if err := names.take(c.Evidence[i].File); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// checkAttachment says whether name can be a file next to the evidence of c.
func checkAttachment(c *Case, name string) error {
	if strings.Contains(name, "/") {
		return errors.New("only evidence lives in folders: give a plain file name")
	}
	names, err := attachmentNames(c)
	if err != nil {
		return err
	}
	return names.take(name)
}

// ValidKind reports whether kind can be a kind of evidence: 1 to 40 lower-case letters, digits and dashes.
func ValidKind(kind string) bool {
	bad := func(r rune) bool { return !isSlugChar(r) && r != '-' }
	return kind != "" && len(kind) <= 40 && strings.IndexFunc(kind, bad) < 0
}
