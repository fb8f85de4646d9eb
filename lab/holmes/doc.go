// Package holmes runs the tests and the examples of mosn.io/holmes v1.0.2 against package holmes of Casebook.
//
// The problem: a drop-in is one only if the code of holmes' own users works with it, and nobody knows better what that
// code expects than holmes' tests.
//
// The approach: the tests are compiled from the module cache, unchanged but for the import of mosn.io/holmes
// (compile_test.go), by the go command's overlays, so that nothing is copied into this repository. Each runs as a
// process of its own, all at the same time, where it can in a network of its own, because two of them want port 8080
// (network_linux_test.go). The tests of holmes_test.go, which are inside of package holmes, read fields of it: package
// window shows what a user of the drop-in sees under the names of those fields. The nine examples are built the same
// way, with a port and a folder of their own, and driven as holmes' doc/example.md says (examples_test.go).
//
// The limits: ring_test.go is not run. It tests the ring buffer in which holmes keeps its history, which is no part of
// the API; ours is tested by history_test.go. It is a module of its own, so that what holmes' tests require (gin,
// mosn's packages) burdens nobody; it is not in go.work.
package holmes
