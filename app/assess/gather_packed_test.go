package assess_test

import (
	"archive/tar"
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/assess"
)

// asleep is a crash that the runtime has proved.
const asleep = "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n" +
	"\t/srv/app/main.go:9 +0x1\n"

func tarOf(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	head := tar.Header{Name: name, Mode: 0o600, Size: int64(len(data)), Format: tar.FormatUSTAR}
	if err := w.WriteHeader(&head); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPacked: files are read in the forms that people pack them in, or refused with what unpacks them.
func TestPacked(t *testing.T) {
	bz2, err := base64.StdEncoding.DecodeString(asleepBzip2)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		data []byte
		want string // the first finding's kind, or words of the refusal
	}{
		"crash.log.zst": {[]byte("\x28\xb5\x2f\xfdrest"), "zstd -dk"},
		"crash.log.bz2": {bz2, "goroutine-deadlock"},
		"crash.tar":     {tarOf(t, "crash.log", []byte(asleep)), "goroutine-deadlock"},
		"crash.tar.zst": {[]byte("\x28\xb5\x2f\xfdrest"), "zstd -dk"},
		"crash.tar.xz":  {[]byte("\xfd7zXZ\x00rest"), "xz -dk"},
		"crash.7z":      {[]byte("7z\xbc\xaf\x27\x1crest"), "7z x"},
		"crash.rar":     {[]byte("Rar!\x1a\x07\x01\x00rest"), "unrar x"},
		"crash.lz4":     {[]byte("\x04\x22\x4d\x18rest"), "lz4 -dk"},
		"cut.bz2":       {bz2[:20], "truncated"},
		"core":          {coreDump(), "dlv core"},
	} {
		t.Run(name, func(t *testing.T) {
			file := write(t, t.TempDir(), name, tt.data)
			d, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: []string{file}})
			if err != nil {
				t.Fatal(err)
			}
			got, said := firstAnswer(t, d)
			if got != tt.want && (got != "refused" || !strings.Contains(said, tt.want)) {
				t.Errorf("%s: %s; want %s", got, said, tt.want)
			}
		})
	}
}

// coreDump is the head of an ELF file of that type.
func coreDump() []byte {
	head := append([]byte("\x7fELF\x02\x01\x01"), make([]byte, 57)...)
	head[16], head[18], head[20], head[52], head[54] = 4, 62, 1, 64, 56
	return append(head, make([]byte, 64)...)
}

// asleepBzip2 is asleep, packed by bzip2: the standard library only unpacks.
const asleepBzip2 = "QlpoOTFBWSZTWWO1duMAAB9bgAAwYGvgMAAKL+/fQCAAaEUzIg09TQAG1D0giaanoTag00AA0yMcUBM0zcXgn0CSZG" +
	"INCcL8PnnsqlEFomK8tD16VF5FIyXpJ7m9eiRvVAGkTuVpXB9U1BN1ywEE4ZgN5kB2iaDQDBiU/F3JFOFCQY7V24w="
