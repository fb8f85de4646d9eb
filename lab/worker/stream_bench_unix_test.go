//go:build unix

package worker

import (
	"bytes"
	"compress/zlib"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/lab/worker/event"
)

// BenchmarkStream is what the archive's group does of a stream, without the broker and the disk, on as many cores as
// -cpu says: decompress, decode, complete, encode and compress. MB/s are of the messages, decompressed, and MB/cpu-s
// the same for a second of CPU, which is what a core bears of it where other programs take a part of the machine; "in"
// is the share of these bytes that a record has in the topic.
//
//	go test -run '^$' -bench Stream -cpu 1,2 ./worker
//
// On an Intel Xeon of which others used most (26 November 2026), a second of CPU is
// enough for 21 MB with zlib-9 and 52 MB cured, on one core as on two:
// two cores bear twice what one does.
func BenchmarkStream(b *testing.B) {
	w := world{200_000, users}
	raw := w.batch(0, 40).SizeVT()
	var record bytes.Buffer
	if err := writePayload(zlib.NewWriter(nil), &record, w.batch(0, 40)); err != nil {
		b.Fatal(err)
	}
	for _, form := range []struct{ name, compression, proto string }{
		{"sick", "zlib-9", "dynamic"}, {"zlib-9", "zlib-9", "vtproto"}, {"cured", "klauspost-1", "vtproto"},
	} {
		b.Run("form="+form.name, func(b *testing.B) {
			c := DefaultConfig()
			c.Compression, c.Proto = form.compression, form.proto
			items, err := loadCatalogue("flat", w)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(raw))
			b.ReportAllocs()
			b.ResetTimer()
			began := cpuTime(b)
			b.RunParallel(func(pb *testing.PB) {
				in := &inflater{buffers: c.Buffers}
				codec, err := newCodec(c.Proto)
				if err != nil {
					b.Error(err)
					return
				}
				sink, err := newSink(c, "archive", items)
				if err != nil {
					b.Error(err)
					return
				}
				for pb.Next() {
					err := in.inflate(record.Bytes(), func(raw []byte) error {
						batch, err := codec.decode(raw)
						if err != nil {
							return err
						}
						return sink.write(io.Discard, []*event.Batch{batch})
					})
					if err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)*float64(raw)/1e6/(cpuTime(b)-began).Seconds(), "MB/cpu-s")
			b.ReportMetric(float64(record.Len())/float64(raw), "in/byte")
		})
	}
}

// cpuTime is the CPU time that this process has used.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
