package evidence

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
)

// Clean takes out of the files what varies from machine to machine, compresses text, and prunes profiles that are too
// large for the repository. What was pruned stands in the file's note.
func (m *Manifest) Clean() error {
	for i := range m.Evidence {
		f := &m.Evidence[i]
		var err error
		switch {
		case strings.HasSuffix(f.File, ".pb.gz"):
			err = f.cleanProfile()
		case f.Kind == casefile.Runtime:
			err = f.cleanRuntime()
		case f.Kind == casefile.Trace:
			err = f.sumUp()
		case f.Kind == casefile.Metrics:
			err = f.cleanMetrics()
		case len(f.Data) > MaxFile/5 && !strings.HasSuffix(f.File, ".gz") && strings.HasSuffix(f.File, ".txt"):
			f.Data, err = compress(f.Data)
			f.File += ".gz"
		}
		if err != nil {
			return fmt.Errorf("cleaning %s: %w", f.File, err)
		}
	}
	for i := range m.Missing {
		m.Missing[i].Reason = loopback.ReplaceAllString(m.Missing[i].Reason, "http://HOST")
	}
	m.Build.Revision, m.Limits.OpenFiles = "", 0
	return nil
}

// loopback is an address whose port no two recordings share.
var loopback = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`)

// cleanRuntime keeps what the process is and is told, not what machine it runs on.
func (f *File) cleanRuntime() error {
	var all map[string]any
	if err := json.Unmarshal(f.Data, &all); err != nil {
		return err
	}
	delete(all, "rlimits")
	delete(all, "system")
	text, err := json.MarshalIndent(all, "", " ")
	f.Data = append(text, '\n')
	return err
}

// cleanMetrics keeps the sums of expvar's memstats, not the command line, which has paths of this machine, nor the
// lists.
func (f *File) cleanMetrics() error {
	var all struct {
		MemStats map[string]any `json:"memstats"`
	}
	if err := json.Unmarshal(f.Data, &all); err != nil {
		return err
	}
	for name, value := range all.MemStats {
		if _, list := value.([]any); list {
			delete(all.MemStats, name)
		}
	}
	text, err := json.MarshalIndent(map[string]any{"memstats": all.MemStats}, "", " ")
	f.Data = append(text, '\n')
	return err
}

func (f *File) cleanProfile() error {
	p, err := profile.ParseData(f.Data)
	if err != nil {
		return err
	}
	for _, mapping := range p.Mapping { // they hold the path of the binary and of shared libraries
		mapping.File = path.Base(mapping.File)
	}
	p.Comments = nil
	text, err := encode(p)
	if err != nil {
		return err
	}
	dropped := 0
	if len(text) > MaxFile {
		if text, dropped, err = prune(p, MaxFile); err != nil {
			return err
		}
	}
	if dropped > 0 {
		f.Note = strings.TrimPrefix(fmt.Sprintf("%s; the lightest %d of %d stacks were pruned, every total is kept "+
			"to %.1f %%",
			f.Note, dropped, dropped+len(p.Sample), 100*maxPruned), "; ")
	}
	f.Data = text
	return nil
}

func encode(p *profile.Profile) ([]byte, error) {
	var b bytes.Buffer
	err := p.Write(&b)
	return b.Bytes(), err
}

func compress(data []byte) ([]byte, error) {
	var b bytes.Buffer
	zw, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := zw.Write(data); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
