package tables

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	fast "github.com/klauspost/compress/zlib"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab/tables/listing"
)

const compressionTitle = "zlib at levels 9, 6 and 1: size and CPU"

// compressionTable compresses one message in each form.
func compressionTable(ctx context.Context, p pace) (Table, error) {
	many := 64
	if p.quick {
		many = 4
	}
	message, err := offers(many)
	if err != nil {
		return Table{}, err
	}
	t := Table{
		Name:  "compression",
		Title: compressionTitle,
		Text: "CPU time to compress a message of " + number.Bytes(float64(len(message))) + ": " + whole(many) +
			" offers as JSON, which differ in numbers and texts. The writer is used again, as a worker does.",
		Columns: []string{"library", "level", "size", "of the message", "CPU", "against 9"},
		Said:    "The article: from level 9 to 6 0.01 % larger for half of the CPU.",
		Note: "klauspost/compress has the same format, so that any reader reads it. Level 1 of it is what the " +
			"worker's cured form uses.",
	}
	forms, err := compressors(message)
	if err != nil {
		return Table{}, err
	}
	cs := make([]contestant, len(forms))
	for i, f := range forms {
		cs[i] = contestant{f.library + " " + whole(f.level), f.run(message)}
	}
	costs, err := p.measure(ctx, cs)
	if err != nil {
		return Table{}, err
	}
	worst := middleOf(costs[0], cpuOf)
	for i, f := range forms {
		cpu := middleOf(costs[i], cpuOf)
		t.Rows = append(t.Rows, []string{f.library, whole(f.level), number.Bytes(float64(f.size)),
			number.Share(float64(f.size) / float64(len(message))), cpu.timed(), ratio(worst, cpu)})
		forms[i].cpu = cpu.median
	}
	t.Holds = compressionHolds(forms)
	return t, nil
}

// compressionHolds says what each level saves of the first one's CPU, and what that costs in bytes.
func compressionHolds(forms []compressor) string {
	best := forms[0]
	beside := func(f compressor) string {
		return fmt.Sprintf("%s larger for %s of its CPU", number.Percent(float64(f.size)/float64(best.size)-1),
			number.Share(f.cpu/best.cpu))
	}
	said := "Still true"
	switch six := forms[1]; {
	case six.cpu*near > best.cpu:
		said = "Not so of these messages"
	case six.cpu > best.cpu*2/3:
		said = "True in part"
	}
	last := forms[len(forms)-1]
	return fmt.Sprintf("%s: beside level %d, level %d is %s; level %d of %s is %s. How much 6 saves depends on how "+
		"much a message repeats.", said, best.level, forms[1].level, beside(forms[1]), last.level, last.library,
		beside(last))
}

// offers are so many as JSON, of which no two are the same: their texts are words of the example's in the order of
// chance.
func offers(n int) ([]byte, error) {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(listing.Example().Description)
	text := func(words []string, n int) string {
		said := make([]string, n)
		for i := range said {
			said[i] = words[random.IntN(len(words))]
		}
		return strings.Join(said, " ")
	}
	var all []listing.Listing
	for range n {
		l := listing.Example()
		l.ID, l.Price, l.Seller.ID = random.Int64N(1e10), random.Int64N(1e7), random.Int64N(1e9)
		l.Title, l.Description = text(words, 6), text(words, 40+random.IntN(60))
		l.Seller.Phone, l.Seller.Rating = whole(int(random.Int64N(1e11))), random.Float64()*5
		for i := range l.Photos {
			l.Photos[i].URL = fmt.Sprintf("https://img.example.org/%d/%x.jpg", l.ID, random.Uint64())
		}
		l.Created, l.Latitude, l.Longitude = random.Int64N(1e13), random.Float64()*90, random.Float64()*180
		all = append(all, l)
	}
	return json.Marshal(all)
}

// zlibWriter is the writer of both libraries.
type zlibWriter interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// A compressor is a form, and how large it makes the message.
type compressor struct {
	library string
	level   int
	w       zlibWriter
	size    int
	cpu     float64 // ns a message
}

func compressors(message []byte) (forms []compressor, err error) {
	for _, level := range []int{9, 6, 1} {
		w, err := zlib.NewWriterLevel(io.Discard, level)
		if err != nil {
			return nil, err
		}
		forms = append(forms, compressor{library: "compress/zlib", level: level, w: w})
	}
	for _, level := range []int{6, 1} {
		w, err := fast.NewWriterLevel(io.Discard, level)
		if err != nil {
			return nil, err
		}
		forms = append(forms, compressor{library: "klauspost/compress", level: level, w: w})
	}
	for i := range forms {
		if forms[i].size, err = forms[i].sizeOf(message); err != nil {
			return nil, err
		}
	}
	return forms, nil
}

func (c *compressor) compress(to io.Writer, message []byte) error {
	c.w.Reset(to)
	_, err := c.w.Write(message)
	return errors.Join(err, c.w.Close())
}

// sizeOf compresses the message once, and reads it back.
func (c *compressor) sizeOf(message []byte) (int, error) {
	var b bytes.Buffer
	if err := c.compress(&b, message); err != nil {
		return 0, err
	}
	size := b.Len()
	r, err := zlib.NewReader(&b)
	if err != nil {
		return 0, err
	}
	if back, err := io.ReadAll(r); err != nil || !bytes.Equal(back, message) {
		return 0, fmt.Errorf("%s at level %d does not give back what it got (%w)", c.library, c.level, err)
	}
	return size, nil
}

// run compresses n times. sizeOf has seen that the message comes back.
func (c *compressor) run(message []byte) func(n int) (uint64, error) {
	return func(n int) (uint64, error) {
		for range n {
			if err := c.compress(io.Discard, message); err != nil {
				return 0, err
			}
		}
		return uint64(n), nil
	}
}
