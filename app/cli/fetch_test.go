package cli_test

import (
	"io"
	"net/http"
	"testing"
)

// fetch is what a URL answers.
func fetch(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s answered %d, %v", url, resp.StatusCode, err)
	}
	return string(data)
}
