package protobuf

import (
	"bytes"
	"os"
	"testing"

	gogoproto "github.com/gogo/protobuf/proto"
	"github.com/golang/protobuf/proto"

	"github.com/gocasebook/casebook/lab/bench/protobuf/gogo"
	"github.com/gocasebook/casebook/lab/bench/protobuf/golang"
)

// message is a batch of 40 events that lab/worker has written.
func message(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/batch.pb")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestAgree: both read the message, and write it again as it was.
func TestAgree(t *testing.T) {
	want := message(t)
	old, fast := new(golang.Batch), new(gogo.Batch)
	if err := proto.Unmarshal(want, old); err != nil || len(old.Events) != 40 {
		t.Fatalf("%d events, %v", len(old.Events), err)
	}
	if err := gogoproto.Unmarshal(want, fast); err != nil || len(fast.Events) != 40 {
		t.Fatalf("%d events, %v", len(fast.Events), err)
	}
	if got, err := proto.Marshal(old); err != nil || !bytes.Equal(got, want) {
		t.Errorf("golang/protobuf writes %d bytes (%v), want the %d that were read", len(got), err, len(want))
	}
	if got, err := gogoproto.Marshal(fast); err != nil || !bytes.Equal(got, want) {
		t.Errorf("gogo/protobuf writes %d bytes (%v), want the %d that were read", len(got), err, len(want))
	}
}

func BenchmarkDecode(b *testing.B) {
	raw := message(b)
	b.Run("codec=golang-v1.3", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := proto.Unmarshal(raw, new(golang.Batch)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("codec=gogo", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := gogoproto.Unmarshal(raw, new(gogo.Batch)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	raw := message(b)
	old, fast := new(golang.Batch), new(gogo.Batch)
	if err := proto.Unmarshal(raw, old); err != nil {
		b.Fatal(err)
	}
	if err := gogoproto.Unmarshal(raw, fast); err != nil {
		b.Fatal(err)
	}
	b.Run("codec=golang-v1.3", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := proto.Marshal(old); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("codec=gogo", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := gogoproto.Marshal(fast); err != nil {
				b.Fatal(err)
			}
		}
	})
}
