package worker

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/gocasebook/casebook/lab/worker/event"
)

// smallWorld is large enough for events of each kind.
var smallWorld = world{items: 1000, users: users}

// smallCatalogue is that of smallWorld.
func smallCatalogue() catalogue {
	c, err := loadCatalogue("pointers", smallWorld)
	if err != nil {
		panic(err)
	}
	return c
}

// TestCataloguesAgree: both complete events in the same way.
func TestCataloguesAgree(t *testing.T) {
	want := smallWorld.batch(0, 300)
	smallCatalogue().complete(want)
	for _, name := range catalogueNames {
		c, err := loadCatalogue(name, smallWorld)
		if err != nil {
			t.Fatal(err)
		}
		got := smallWorld.batch(0, 300)
		c.complete(got)
		if !proto.Equal(got, want) {
			t.Errorf("%s completes\n%v\nwant\n%v", name, got, want)
		}
	}
}

// inflated is a record, in a buffer of its own.
func inflated(t *testing.T, in *inflater, compressed []byte) []byte {
	t.Helper()
	var out []byte
	if err := in.inflate(compressed, func(raw []byte) error { out = bytes.Clone(raw); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCodecsAgree(t *testing.T) {
	want := smallWorld.batch(0, 200)
	smallCatalogue().complete(want)
	wire, err := proto.MarshalOptions{Deterministic: true}.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range codecNames {
		t.Run(name, func(t *testing.T) {
			c, err := newCodec(name)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := c.decode(wire); err != nil || !proto.Equal(got, want) {
				t.Errorf("decoded (%v):\n%v\nwant\n%v", err, got, want)
			}
			if got, err := c.append([]byte("before"), want); err != nil || string(got) != "before"+string(wire) {
				t.Errorf("encoded %d bytes (%v), want the %d of the reference after what was there", len(got), err,
					len(wire))
			}
			if _, err := c.decode([]byte{0x0a, 0x7f, 1}); err == nil {
				t.Error("a message that is cut off was decoded")
			}
		})
	}
}

func TestDeflatersAgree(t *testing.T) {
	text := []byte(strings.Repeat("a line of an archive\n", 5000))
	for _, name := range deflaterNames {
		d, err := newDeflater(name)
		if err != nil {
			t.Fatal(err)
		}
		in := new(inflater)
		for range 2 { // with the same tables
			var b bytes.Buffer
			d.Reset(&b)
			if _, err := d.Write(text); err != nil {
				t.Fatal(err)
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			if got := inflated(t, in, b.Bytes()); !bytes.Equal(got, text) || b.Len() > len(text)/20 {
				t.Errorf("%s: %d bytes became %d and %d again", name, len(text), b.Len(), len(got))
			}
		}
	}
}

func TestInflateBadInput(t *testing.T) {
	var bomb bytes.Buffer
	z := zlib.NewWriter(&bomb)
	for range maxRaw/4096 + 1 {
		if _, err := z.Write(make([]byte, 4096)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	in := new(inflater)
	for name, data := range map[string][]byte{"empty": nil, "text": []byte("hello"), "cut off": bomb.Bytes()[:100],
		"bomb": bomb.Bytes()} {
		err := in.inflate(data, func([]byte) error { return nil })
		if err == nil || !strings.HasPrefix(err.Error(), "decompressing: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTableFormatsAgree: both write the same bytes, and one cell for each column of the database.
func TestTableFormatsAgree(t *testing.T) {
	batches := []*event.Batch{smallWorld.batch(0, 300)}
	batches[0].Events[7].Kind = 99 // of a newer schema
	var printed, appended bytes.Buffer
	for w, format := range map[*bytes.Buffer]tableFormat{&printed: printer{}, &appended: &cellWriter{}} {
		if err := (&table{smallCatalogue(), format}).write(w, batches); err != nil {
			t.Fatal(err)
		}
	}
	if printed.String() != appended.String() {
		t.Errorf("they differ:\n%.300s\n%.300s", &printed, &appended)
	}
	lines := strings.Split(strings.TrimSuffix(appended.String(), "\n"), "\n")
	if len(lines) != 300 || strings.Count(lines[0], "\t") != 12 || !strings.Contains(lines[7], "\tunknown\t") {
		t.Errorf("%d lines, the first %q, the eighth %q", len(lines), lines[0], lines[7])
	}
	for _, format := range []tableFormat{printer{}, &cellWriter{}} {
		if err := format.write(fullDisk{}, batches[0].Events[0]); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%T does not tell of a write that failed: %v", format, err)
		}
	}
}

// A fullDisk accepts nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestKeyFormatsAgree(t *testing.T) {
	batches := []*event.Batch{smallWorld.batch(0, 300), smallWorld.batch(300, 300)}
	smallCatalogue().complete(batches[0])
	printed, appended, events := map[string]*int{}, map[string]*int{}, 0
	keys := &appendedKeys{}
	for _, b := range batches {
		for _, e := range b.Events {
			printedKeys{}.count(printed, e)
			keys.count(appended, e)
			events++
		}
	}
	if len(printed) != len(appended) {
		t.Errorf("%d keys printed, %d appended", len(printed), len(appended))
	}
	regions := 0
	for key, n := range printed {
		if m := appended[key]; m == nil || *m != *n {
			t.Errorf("%s is printed %d times, appended %v", key, *n, m)
		}
		if strings.HasPrefix(key, "region:") {
			regions += *n
		}
	}
	if regions != 2*events {
		t.Errorf("%d are counted by region, want each of %d events in its minute and in its hour", regions, events)
	}
}
