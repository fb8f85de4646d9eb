// Package assess is what Casebook does with what somebody names: files, folders, zips, cases and addresses of evidence
// are gathered and diagnosed, two measurements compared, two servers measured against each other, rules replayed on
// recorded vitals. As in package casework, which is about the cases themselves, each use case is a function with a
// typed request and a typed result that encodes as --json prints it; nothing prints, exits or reads flags.
package assess
