//go:build go1.27 || !go1.27

package bodyunread

import "net/http"

// The build line does not name one version, so that of the file is not known.
func today(url string) bool {
	resp, err := http.Get(url)
	if err != nil {
		return false
	}
	return resp.Body.Close() == nil
}
