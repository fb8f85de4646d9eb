package ask

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// What is read of an answer of so many bytes of text. JSON writes a character with up to six; a stream wraps each
// token, of 4 bytes on average, into some 250 bytes.
const (
	wholeFactor  = 8
	streamFactor = 64
	spare        = 64 << 10 // bytes, for what is around the text
)

// read reads an answer in the form in which it came, whatever was asked for.
func (x *exchange) read(resp *http.Response) (Reply, error) {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case kind == "text/event-stream":
		return x.readStream(resp.Body)
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		return x.readWhole(resp.Body)
	}
	return Reply{}, fmt.Errorf("%s answered with %.60q, and not with JSON or a stream of events: are url and protocol "+
		"right?", x.agent.To(), kind)
}

func (x *exchange) readWhole(body io.Reader) (Reply, error) {
	most := wholeFactor*x.limits.Bytes + spare
	data, err := io.ReadAll(io.LimitReader(body, int64(most)+1))
	if err != nil {
		return Reply{}, fmt.Errorf("the answer broke off: %w", err)
	}
	if len(data) > most {
		return Reply{}, tooLarge(x.limits.Bytes)
	}
	p, err := x.protocol.whole(data)
	if err != nil {
		return Reply{}, err
	}
	if len(p.text) > x.limits.Bytes {
		return Reply{}, tooLarge(x.limits.Bytes)
	}
	r := Reply{Text: p.text, Model: p.model, In: max(p.in, 0), Out: max(p.out, 0)}
	if p.stop != "" { // some servers do not say
		r.Cut = x.protocol.stopped(p.stop)
	}
	return r, nil
}

// readStream puts the pieces of a stream together. What came before a connection broke is kept, and the Reply says that
// it is not all.
func (x *exchange) readStream(body io.Reader) (Reply, error) {
	most := x.limits.Bytes
	left := &io.LimitedReader{R: body, N: int64(streamFactor*most + spare)}
	g := gathered{most: most}
	err := events(left, wholeFactor*most+spare, func(data []byte) (bool, error) {
		p, err := x.protocol.event(data)
		if err != nil {
			return true, err
		}
		return p.last, g.add(p)
	})
	if left.N <= 0 {
		return Reply{}, tooLarge(most)
	}
	if err != nil && (!errors.Is(err, io.ErrUnexpectedEOF) || g.all.Len() == 0) {
		return Reply{}, err
	}
	r := Reply{Text: g.all.String(), Model: g.model, In: g.in, Out: g.out}
	switch {
	case g.stop != "":
		r.Cut = x.protocol.stopped(g.stop)
	case !g.last:
		r.Cut = "the stream broke off"
	}
	return r, nil
}

// What is gathered of a stream: the text, and the last that was said of the rest.
type gathered struct {
	most int // bytes of text
	all  strings.Builder
	piece
}

func (g *gathered) add(p piece) error {
	if g.all.Len()+len(p.text) > g.most {
		return tooLarge(g.most)
	}
	g.all.WriteString(p.text)
	g.model, g.stop = cmp.Or(g.model, p.model), cmp.Or(p.stop, g.stop)
	g.in, g.out, g.last = max(g.in, p.in), max(g.out, p.out), p.last
	return nil
}
