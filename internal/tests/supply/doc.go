// Package supply holds what this repository takes from others to rules, by tests: docs/licences.md lists the licence of
// every module that is linked into cmd/casebook-store or that the root module brings to its importers, and every
// licence is one that an Apache-2.0 program may ship; .ci/vulncheck fails on a vulnerability and not on a missing
// network. lab/dist lists the same licences beside the programs of a release.
package supply
