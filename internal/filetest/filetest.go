// Package filetest makes files by hand for the tests of what reads them, and tests the folders of what writes them.
//
// It imports nothing of this repository, so that the tests inside of any package can use it. What makes cases is in
// casetest, what makes profiles in profiletest. Only tests import it.
package filetest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// An Entry of a zip.
type Entry struct {
	Name, Data string
	Mode       fs.FileMode
}

// Zip makes a zip whose names and modes no program would write.
func Zip(tb testing.TB, entries ...Entry) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.Name, Method: zip.Deflate}
		h.SetMode(e.Mode | 0o600)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(w, e.Data)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// Gzip compresses a text: the smallest data that passes for a profile.
func Gzip(text string) []byte {
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	_, _ = zw.Write([]byte(text)) // a bytes.Buffer accepts everything
	_ = zw.Close()
	return b.Bytes()
}

// Fill sets everything in v to a distinct value that is not zero, moments to some just after the given one.
func Fill(v reflect.Value, opened time.Time) { fill(v, opened, new(int)) }

func fill(v reflect.Value, opened time.Time, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d <&> ü", *n))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.25)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), opened, n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), opened, n)
		fill(v.Index(1), opened, n)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(opened.Add(time.Duration(*n) * time.Millisecond)))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), opened, n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(fmt.Sprintf("key %d", *n)), reflect.ValueOf(fmt.Sprintf("text %d", *n)))
	default:
		panic("Fill does not know how to fill a " + v.Type().String())
	}
}

// WantPrivate fails unless all folders in dir are 0700 and all files 0600.
func WantPrivate(tb testing.TB, dir string) {
	tb.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if err == nil && info.Mode().Perm() != want {
			tb.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
		return err
	})
	if err != nil {
		tb.Error(err)
	}
}

// Want fails unless dir has exactly these entries.
func Want(tb testing.TB, dir string, want ...string) {
	tb.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		tb.Errorf("%s holds %q, want %q", dir, got, want)
	}
}

// Child is a process of this test's program that plays a part, which a variable names to its TestMain.
func Child(tb testing.TB, variable, part string, args ...string) *exec.Cmd {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), variable+"="+part)
	cmd.Stderr = os.Stderr
	return cmd
}
