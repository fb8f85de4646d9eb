// Package driver is what app/store asks of databases and buckets, and of the libraries that speak with them.
//
// The problem: SQLite in Go, PostgreSQL's driver and a client of S3's protocol are 23 modules and a quarter of what
// compiling casebook takes, for casebook serve --store alone. The approach: app/store knows what is here, and a program
// that keeps cases links app/store/drivers, as it would link drivers of database/sql: app/cmd/casebook-store does, and
// app/cmd/casebook runs that one.
package driver

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"iter"
)

// Errors that every driver tells apart. app/store says more about each.
var (
	ErrNotFound    = errors.New("not found")
	ErrUnavailable = errors.New("the store is not available")
	ErrFull        = errors.New("no space left in the store")
	ErrInvalid     = errors.New("not accepted")
)

// A Database is one that an index may be in.
type Database struct {
	// Open opens the database at an address, and makes sure that it answers where it is a server.
	Open func(ctx context.Context, address string) (*sql.DB, error)
	// Explain wraps an error of the driver in one of those above, where it is one.
	Explain func(error) error
}

// Objects are those of a bucket of S3's protocol. Its errors wrap those above, where they are one.
type Objects interface {
	// Exists says whether there is a bucket of this name.
	Exists(ctx context.Context) (bool, error)
	// Put keeps what r has: nothing, unless r has so many bytes.
	Put(ctx context.Context, key string, r io.Reader, size int64) error
	Open(ctx context.Context, key string) (c Content, size int64, err error)
	Remove(ctx context.Context, key string) error
	// List yields the objects whose keys begin so, in no order.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
}

// An Object is named by its key.
type Object struct {
	Key  string
	Size int64
}

// Content is what an object or a file has.
type Content interface {
	io.ReadSeekCloser
	io.ReaderAt
}

// A Bucket says where objects are.
type Bucket struct {
	Host, Name, Region string
	Encrypted          bool // https
}

// Drivers are those that a program links.
type Drivers struct {
	SQLite, Postgres Database
	OpenBucket       func(Bucket) (Objects, error)
}

var linked *Drivers

// Link is called once, before anything is opened. Nil takes the drivers away, for tests.
func Link(d *Drivers) { linked = d }

// Linked returns the drivers of this program, or nil.
func Linked() *Drivers { return linked }
