package kafka

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// TestServer: records that are sent come back. It needs Java, and the jars: an earlier `lab run --kafka` has fetched
// them.
func TestServer(t *testing.T) {
	dir, err := jarsDir()
	if err != nil {
		t.Skip(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip(err)
	}
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip(err)
	}
	s, err := Start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	}()
	client, err := kgo.NewClient(kgo.SeedBrokers(s.Addr), kgo.DefaultProduceTopic("t"), kgo.AllowAutoTopicCreation(),
		kgo.ConsumeTopics("t"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.ProduceSync(t.Context(), kgo.StringRecord("hello")).FirstErr(); err != nil {
		t.Fatal(err)
	}
	for got := ""; got != "hello"; {
		fetches := client.PollFetches(t.Context())
		if err := fetches.Err0(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) { got = string(r.Value) })
	}
}

// TestWithoutJava says what is missing, and how to get it.
func TestWithoutJava(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Start(t.Context(), t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "apt-get install openjdk") {
		t.Errorf("%v, want how to get Java", err)
	}
}

// TestWithoutMaven: nothing is left of jars that could not be fetched.
func TestWithoutMaven(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("PATH", t.TempDir())
	if _, err := jars(t.Context()); err == nil || !strings.Contains(err.Error(), "apt-get install maven") {
		t.Errorf("%v, want how to get Maven", err)
	}
	failing := t.TempDir()
	script := "#!/bin/sh\necho no such registry; exit 1\n"
	if err := os.WriteFile(filepath.Join(failing, "mvn"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", failing+":/bin:/usr/bin")
	if _, err := jars(context.Background()); err == nil || !strings.Contains(err.Error(), "no such registry") {
		t.Errorf("%v, want what Maven says", err)
	}
	left, err := os.ReadDir(filepath.Join(cache, "casebook-lab"))
	if err != nil || len(left) > 0 {
		t.Errorf("%d files are left (%v), want none", len(left), err)
	}
}
