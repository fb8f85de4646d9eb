// Package refs is who holds memory, as plain data.
//
// The problem: a heap profile names the lines that allocated what is alive, and not what keeps it alive. That is in a
// heap dump, whose reader (app/heapdump) a service should not import. The approach: what is read becomes a Summary,
// which is evidence of a case, what `casebook heap --json` prints, and what detectors read. A profile of references by
// goref (github.com/cloudwego/goref) becomes one, too.
//
// The limits: a dump has no names of types and fields, and its sites are sampled; goref has these names, and no sites.
package refs
