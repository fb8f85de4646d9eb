package worker

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"os"
	"testing"

	"google.golang.org/protobuf/proto"
)

// A message of the topic, as lab/bench/protobuf has it, which is a module of its own for what the lab cannot have.
const recordedBatch = "../bench/protobuf/testdata/batch.pb"

// sampleBatch is the message of 40 events that all codecs are measured on.
func sampleBatch(t testing.TB) []byte {
	t.Helper()
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(world{1000, users}.batch(0, 40))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestRecordedBatch: the other module measures on the same message. CASEBOOK_UPDATE=1 writes it.
func TestRecordedBatch(t *testing.T) {
	want := sampleBatch(t)
	if os.Getenv("CASEBOOK_UPDATE") != "" {
		if err := os.WriteFile(recordedBatch, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(recordedBatch)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s has %d bytes (%v), want the %d that the worker's topic has", recordedBatch, len(got), err,
			len(want))
	}
}

func BenchmarkDecode(b *testing.B) {
	raw := sampleBatch(b)
	for _, name := range codecNames {
		b.Run("codec="+name, func(b *testing.B) {
			c, err := newCodec(name)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.decode(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkInflate is what the buffer of a record costs, for a message of some kB and for one of 1.5 MB.
func BenchmarkInflate(b *testing.B) {
	for _, events := range []int{40, smallWorld.eventsIn(1_500_000)} {
		var record bytes.Buffer
		if err := writePayload(zlib.NewWriter(nil), &record, smallWorld.batch(0, events)); err != nil {
			b.Fatal(err)
		}
		for _, name := range bufferNames {
			b.Run(fmt.Sprintf("events=%d/buffers=%s", events, name), func(b *testing.B) {
				in := &inflater{buffers: name}
				b.ReportAllocs()
				for b.Loop() {
					if err := in.inflate(record.Bytes(), func([]byte) error { return nil }); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
