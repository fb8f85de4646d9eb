// Package engines holds app/engine to Pyroscope's published messages.
//
// The problem: no Pyroscope server can be built (docs/engines.md), and the stand-in of the tests was written from the
// same reading of the protocol as the client. The approach: github.com/grafana/pyroscope/api, the code that is generated
// from the protocol and that the server itself uses, answers here: what the client sends is decoded by it, and what it
// encodes is read by the client. The limits: it is the protocol alone. What a server does with the messages (sums,
// bounds, other names of labels) is what this test says.
package engines
