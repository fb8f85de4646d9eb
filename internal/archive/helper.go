package archive

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// A Codec makes an archive of a tar file, and a tar file of an archive.
type Codec interface {
	Pack(tar []byte) ([]byte, error)
	Unpack(archive []byte) ([]byte, error)
}

// codec is the helper, or in the helper what Use named.
var codec Codec = new(helper)

// Use makes a process pack and unpack by itself.
func Use(c Codec) { codec = c }

// A request asks the helper for one archive, or for what is in one.
type request struct {
	Pack bool
	Data []byte
}

// An answer has the bytes, or why there are none.
type answer struct {
	Data    []byte
	Problem string
}

// A helper packs and unpacks in a process of its own, which begins with the first archive and ends with this one: it
// then reads the end of its input.
type helper struct {
	mu       sync.Mutex
	started  bool
	err      error // why it does not run
	requests *gob.Encoder
	answers  *gob.Decoder
}

func (h *helper) Pack(tar []byte) ([]byte, error) { return h.ask(request{Pack: true, Data: tar}) }

func (h *helper) Unpack(archive []byte) ([]byte, error) { return h.ask(request{Data: archive}) }

func (h *helper) ask(r request) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.started {
		h.started, h.err = true, h.start()
	}
	if h.err != nil {
		return nil, h.err
	}
	var a answer
	err := h.requests.Encode(r)
	if err == nil {
		err = h.answers.Decode(&a)
	}
	if err != nil {
		h.err = fmt.Errorf("go run ./cmd/evidence serve, in evidence/, which unpacks recorded evidence, has ended: %w", err)
		return nil, h.err
	}
	if a.Problem != "" {
		return nil, errors.New(a.Problem)
	}
	return a.Data, nil
}

// environ is as the process began: a test may name another home, where go would have to build all anew.
var environ = os.Environ()

func (h *helper) start() error {
	set, err := Find()
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "run", "./cmd/evidence", "serve")
	cmd.Dir, cmd.Env, cmd.Stderr = filepath.Dir(string(set)), append(environ, "GOWORK=off"), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	h.requests, h.answers = gob.NewEncoder(in), gob.NewDecoder(out)
	return cmd.Start()
}

// Serve is the helper's side: it answers until its input ends.
func Serve(c Codec, in io.Reader, out io.Writer) error {
	requests, answers := gob.NewDecoder(in), gob.NewEncoder(out)
	for {
		var r request
		err := requests.Decode(&r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		do := c.Unpack
		if r.Pack {
			do = c.Pack
		}
		var a answer
		if a.Data, err = do(r.Data); err != nil {
			a.Problem = err.Error()
		}
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}
