//go:build !unix

package access

import "io/fs"

// private: files in a user's folder are their own on this system, and have no mode that says so.
func private(fs.FileInfo) error { return nil }
