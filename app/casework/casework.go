// Package casework is what Casebook does for its users: one function per use case, a typed request in, a typed result
// out. The command line is one face over it; a server would be another. A face parses what people type, prints, and
// chooses exit codes. This package does the work between that and the packages below.
//
// The problem it solves: work that lives in a command can only be done by that command. Here nothing prints, exits or
// reads flags. What happens meanwhile is reported to a func of the request. Errors are plain or typed; a sentence that
// names a flag or a command is the face's (it finds the type with errors.As).
//
// This package is about cases: taken by hand or by a watch, listed, drawn, pruned, exported, imported. What judges
// evidence and measurements that somebody names is package assess.
package casework
