package http_reporter

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/holmes"
)

func TestReportPostsTheFile(t *testing.T) {
	var got map[string]string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = map[string]string{"method": r.Method}
		if err := r.ParseMultipartForm(1 << 20); err != nil {
			t.Error(err)
			return
		}
		for name, values := range r.MultipartForm.Value {
			got[name] = strings.Join(values, "|")
		}
		file, header, err := r.FormFile("profile")
		if err != nil {
			t.Error(err)
			return
		}
		data, _ := io.ReadAll(file)
		got["profile"], got["name"] = string(data), header.Filename
		_, _ = io.WriteString(w, `{"code": 1, "message": "success"}`)
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "goroutine.log")
	if err := os.WriteFile(file, []byte("a profile"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := NewReporter("secret", server.URL+"/profile/upload")
	if err := r.Report("goroutine", file, holmes.ReasonDiff, "thr-1", time.Now(), nil, holmes.Scene{}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"method": "POST", "profile": "a profile", "name": "go-pprof-profile", "token": "secret",
		"profile_type": "goroutine", "event_id": "thr-1", "comment": holmes.ReasonDiff.String()}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the server got\n%v, want\n%v", got, want)
	}
}

func TestReportSaysWhatWentWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cpu.log")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the form, which has the token, was sent to another server")
	}))
	defer elsewhere.Close()
	for _, c := range []struct {
		name, file, answer string
		code               int
		want               string
	}{
		{"no file", "", "", 200, "has no file"},
		{"file gone", file + ".gone", "", 200, "reading the dump"},
		{"refused", file, `{"code": 7, "message": "bad token"}`, 200, `code 7, "bad token"`},
		{"a page", file, "<html>", 200, "not the JSON"},
		{"an error", file, `{"code": 1}`, 503, "503"},
		{"a redirect", file, `{"code": 1}`, 307, "307"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", elsewhere.URL)
				w.WriteHeader(c.code)
				_, _ = io.WriteString(w, c.answer)
			}))
			defer server.Close()
			err := NewReporter("t", server.URL).Report("cpu", c.file, 0, "", time.Now(), nil, holmes.Scene{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
		})
	}
}
