package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/access"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/app/terminal"
)

// A consent is that somebody has allowed briefs to be sent to an agent at an address. Another address is another one.
type consent struct {
	Agent     string    `json:"agent"`
	To        string    `json:"to"`
	Anonymous bool      `json:"anonymous,omitempty"` // only those without names
	Given     time.Time `json:"given"`
}

// covers reports whether it allows another one.
func (c *consent) covers(other *consent) bool {
	return c.Agent == other.Agent && c.To == other.To && (!c.Anonymous || other.Anonymous)
}

// consentFor is what has to be allowed before an agent is asked.
func consentFor(a *agent, anonymous bool) consent {
	return consent{Agent: a.Name, To: a.To(), Anonymous: anonymous}
}

// A consentFile keeps consents between calls, in this user's state.
type consentFile struct{ path string }

func openConsents() (consentFile, error) {
	path, err := access.SecretFile("asked.json") // beside the secrets: nobody else writes there
	return consentFile{path}, err
}

// maxConsents bounds the file: with more, the oldest are asked for again.
const maxConsents = 1000

// read returns what is kept. A file that is broken is none: it is asked again.
func (c consentFile) read() ([]consent, error) {
	data, err := openfile.ReadSmall(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []consent
	if err == nil {
		_ = json.Unmarshal(data, &all)
	}
	return all, err
}

// has reports whether it was allowed before.
func (c consentFile) has(needed consent) (bool, error) {
	all, err := c.read()
	return slices.ContainsFunc(all, func(one consent) bool { return one.covers(&needed) }), err
}

// add keeps a consent. The file is replaced in one step; of two at once one may be lost, and is asked for again.
func (c consentFile) add(given consent) error {
	all, err := c.read()
	if err != nil {
		return err
	}
	given.Given = time.Now().UTC().Truncate(time.Second)
	all = append(all, given)
	data, err := json.MarshalIndent(all[max(len(all)-maxConsents, 0):], "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(c.path), ".new-*") // 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(append(data, '\n'))
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), c.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

// errNotAllowed is the answer to a question that was not yes.
var errNotAllowed = errors.New("nothing was sent")

// ask asks somebody at a terminal whether to send. Elsewhere nobody can answer, and --yes is the way.
func (c consentFile) ask(in io.Reader, out io.Writer, a *agent) error {
	_, here := terminal.Width(out)
	if f, ok := in.(*os.File); !ok || !here || !terminal.Is(f) {
		return fmt.Errorf("%w: nobody is at a terminal to allow it for %s; give --yes, or look at it first with --show",
			errNotAllowed, a.Name)
	}
	fmt.Fprint(out, "Send it? [y/N] ")
	line, _ := bufio.NewReader(io.LimitReader(in, 1<<10)).ReadString('\n') // what cannot be read is no
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return errNotAllowed
	}
	return nil
}
