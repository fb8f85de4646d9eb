// Package arch holds no code; its test holds the import arrows of docs/design.md.
package arch
