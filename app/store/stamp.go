package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
)

// How sweeps leave uploads their blobs. A blob's name is its SHA-256 and a stamp: when its upload began, in
// milliseconds. The index has one bound.
//
//  1. An upload takes a stamp above the bound, and writes its blobs under it, or takes the name that another case has
//     for the same content. The transaction of its rows goes through only if each name has a stamp that is still above
//     the bound, or is that of another row.
//  2. A sweep asks, in a transaction that raises the bound over all the names it looks at, which of them no row has. It
//     removes those after its commit.
//
// The two kinds of transaction exclude each other: SQLite has one writer, and PostgreSQL a lock that uploads share. So
// no row will ever have a name that a sweep found without one. It may be removed late, twice, from another machine, or
// by the next sweep if this one was killed, whatever the clocks say. Time decides only who must write again: an upload
// that takes longer than sweepAge. What a killed upload has written is swept when it is as old.

// blobName names the blob of a checksum. Stamp 0 is of a store that was made before there were stamps.
func blobName(sum string, stamp int64) string {
	if stamp == 0 {
		return sum
	}
	return sum + "-" + strconv.FormatInt(stamp, 10)
}

// readBlobName is the other direction.
func readBlobName(name string) (sum string, stamp int64, ok bool) {
	sum, digits, stamped := strings.Cut(name, "-")
	if stamped {
		n, err := strconv.ParseUint(digits, 10, 63)
		stamp = int64(n)
		stamped = err != nil || blobName(sum, stamp) != name
	}
	return sum, stamp, validSum(sum) && !stamped
}

// errSwept says that an upload took so long that a sweep may have taken what it wrote: write it again.
var errSwept = fmt.Errorf("%w: evidence was swept before its case was there", ErrUnavailable)

// newStamp is above the bound, whatever this machine's clock says.
func (s *Store) newStamp(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	var bound int64
	err := s.index.queryRow(ctx, "SELECT bound FROM swept").Scan(&bound)
	return max(bound+1, s.now().UnixMilli()), s.index.explain(err)
}

// stampOf is that of a blob with this content that some case has.
func (x *index) stampOf(ctx context.Context, sum string) (stamp int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	err = x.queryRow(ctx, "SELECT stamp FROM evidence WHERE sum = $1 ORDER BY stamp DESC LIMIT 1", sum).Scan(&stamp)
	return stamp, x.explain(err)
}

// lockBound keeps sweeps out until the transaction ends, and returns the bound.
func (x *index) lockBound(ctx context.Context, tx *sql.Tx) (bound int64, err error) {
	if x.d.lockUpload != "" {
		if _, err := tx.ExecContext(ctx, x.d.lockUpload); err != nil {
			return 0, err
		}
	}
	err = tx.QueryRowContext(ctx, "SELECT bound FROM swept").Scan(&bound)
	return bound, err
}

// mayName says errSwept of a row whose blobs a sweep may have taken.
func (x *index) mayName(ctx context.Context, tx *sql.Tx, r *row, bound int64) error {
	for i, stamp := range r.stamps {
		if stamp > bound {
			continue
		}
		var n int
		err := tx.QueryRowContext(ctx, x.sql("SELECT COUNT(*) FROM (SELECT 1 FROM evidence WHERE sum = $1 AND stamp = $2 "+
			"LIMIT 1) AS found"), r.evidence[i].SHA256, stamp).Scan(&n)
		if err != nil {
			return err
		}
		if n == 0 {
			return errSwept
		}
	}
	return nil
}

// condemn returns those of some blobs, all with stamps up to the bound, that no row has: none ever will.
func (x *index) condemn(ctx context.Context, bound int64, blobs []blobInfo) (dead []blobInfo, err error) {
	err = x.within(ctx, func(tx *sql.Tx) error {
		if x.d.lockSweep != "" {
			if _, err := tx.ExecContext(ctx, x.d.lockSweep); err != nil {
				return err
			}
		}
		if _, err := x.exec(ctx, tx, "UPDATE swept SET bound = $1 WHERE bound < $1", bound); err != nil {
			return err
		}
		for _, b := range blobs {
			var n int
			err := tx.QueryRowContext(ctx, x.sql("SELECT COUNT(*) FROM (SELECT 1 FROM evidence WHERE sum = $1 AND stamp = $2 "+
				"UNION ALL SELECT 1 FROM parts WHERE blob = $3 LIMIT 1) AS found"), b.sum, b.stamp, b.name()).Scan(&n)
			if err != nil {
				return err
			}
			if n == 0 {
				dead = append(dead, b)
			}
		}
		return nil
	})
	return dead, err
}
