package known

// A Writer is a call that lets one caller at a time change a store. Where nothing that changes it is called below it, the
// caller could read beside all others.
type Writer struct {
	Call    string   // the function that takes the turn
	Changes []string // the functions below it that change the store
	Read    string   // what to call in place of it, to read
}

// Writers are those of the stores that are read by another call.
func Writers() []Writer {
	var out []Writer
	for _, module := range []string{"go.etcd.io/bbolt", "github.com/boltdb/bolt"} {
		out = append(out, Writer{module + ".(*DB).Update", []string{module + ".(*Bucket).Put",
			module + ".(*Bucket).Delete", module + ".(*Bucket).CreateBucket", module + ".(*Bucket).CreateBucketIfNotExists",
			module + ".(*Bucket).DeleteBucket", module + ".(*Bucket).NextSequence", module + ".(*Bucket).SetSequence",
			module + ".(*Cursor).Delete"}, "db.View"})
	}
	for _, module := range []string{"github.com/dgraph-io/badger/v4", "github.com/dgraph-io/badger/v3"} {
		out = append(out, Writer{module + ".(*DB).Update", []string{module + ".(*Txn).SetEntry", module + ".(*Txn).Set",
			module + ".(*Txn).Delete", module + ".(*Txn).modify"}, "db.View"})
	}
	return append(out, Writer{"github.com/tidwall/buntdb.(*DB).Update", []string{"github.com/tidwall/buntdb.(*Tx).Set",
		"github.com/tidwall/buntdb.(*Tx).Delete", "github.com/tidwall/buntdb.(*Tx).DeleteAll"}, "db.View"})
}
