// Package checks has Casebook's own analyzers: mistakes of performance that the linters which Casebook also runs do not
// report.
//
// Each is an analysis.Analyzer with what it reports, why (with a figure of cost_test.go, or a source), and what it
// leaves alone; those that look at the same calls are in one file. Most begin with a table of functions (unit.go has
// callee). testdata/checks.txtar has lines for each that it must report and lines that it must not.
// docs/evidence/accuracy.md says how it did on other people's code.
//
// A diagnostic covers the expensive expression, so that a profile's lines can be joined to it. Where another line pays
// (a lock's waiters), Related names it. A fix is suggested only where the types and the names show that the program
// does the same. Tests and generated files are left out. No analyzer has facts: go vet runs them over the packages that
// were asked for, and not over all that these import.
//
// What others report well is not written again:
//
//   - staticcheck: regexp.Match in a loop (SA6000), sync.Pool of values that are not pointers (SA6002), time.Tick
//     before Go 1.23 (SA1015; the collector takes such tickers since), an empty default in a loop of select (SA5004);
//   - perfsprint: Sprintf of a single value. prealloc: append in a loop without capacity, where nothing is left out of
//     the loop and the slice is no result (appendgrows has these where they cost);
//   - x/tools: s += t of a local string in a loop (stringsbuilder), range over Split (stringsseq), Index and a slice
//     where Cut would do (stringscut), sort.Slice (slicessort), copied mutexes (copylocks), the order of fields by type
//     (fieldalignment);
//   - the compiler: why a value escapes. `casebook escape` asks it; capturedvar reports the one reason that is in the
//     source alone.
//
// One piece of advice does not hold on Go 1.26 and 1.27: json.NewDecoder in place of io.ReadAll and json.Unmarshal.
// BenchmarkCost/readall finds no difference in time, and 25, 0 and 16 % more bytes for the Decoder at 0.6, 29 and
// 1,160 kB; a buffer of a pool saves them, and that is what readallunmarshal says.
package checks

import (
	"slices"

	"golang.org/x/tools/go/analysis"
)

// All lists the analyzers, the most valuable for a service first.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		regexpInFunc, templateInFunc, lockOverIO, clientPerCall, unboundedGo, cacheGrows, leakySender,
		deferInLoop, jsonRoundTrip, concatInLoop, mapHint, sprintfKey, stringBytes, buildPerCall, coderPerCall,
		queryAgain, bodyUnread, bodyClose, requestNoContext, splitOne, afterInLoop, selectSpin, makeConst,
		fieldOrder, boxInLoop, fmtCall, largeCopy, capturedVar, timerInLoop, handoff, writeInLoop,
		lockedCounter, readAllUnmarshal, readAllSize, decoderOnce, regexpAgain, coderField, coderWrapped,
		labelMap, spanAttributes, copyBuffer, proxyBuffer, bufferGrows, builderGrows, appendGrows,
		invariantCall, scratchPerCall, tablePerCall, marshalCopy, jsonIndent, debugArgs, errorHot, sortKept,
		sortSlice, queryInLoop, lookupInLoop, lockOverWork, stringCompare, constMap, decodeCopy, searchAll,
		loggerWith, logHot, copyHot, jsonNested, cipherPerCall, queryPrepare, idleConns, walkStat, costlyCall,
		regexpHot, lockHeld, codecHot, usedPart, countInLoop, walkAgain, replaceAgain,
	}
}

// AtLine lists those that say why a line of code costs, the most exact first: for who has the line already.
func AtLine() []*analysis.Analyzer {
	return []*analysis.Analyzer{usedPart, walkAgain, splitOne, replaceAgain, jsonRoundTrip, jsonNested, regexpInFunc, templateInFunc,
		buildPerCall, invariantCall, costlyCall, queryAgain, sortKept, constMap, tablePerCall, countInLoop, stringCompare,
		sprintfKey, decodeCopy, stringBytes, concatInLoop, searchAll, copyHot, largeCopy, labelMap, spanAttributes, debugArgs,
		loggerWith, walkStat, cipherPerCall, afterInLoop, timerInLoop, writeInLoop, handoff, makeConst, scratchPerCall,
		boxInLoop, sortSlice, capturedVar}
}

// OfLoop reports whether what an analyzer reports is paid for by the whole loop around it: a processor that waits for a
// line of its cache is seen at the next instructions.
func OfLoop(a *analysis.Analyzer) bool { return a == countInLoop }

// OfFunction reports whether an analyzer's diagnostics are about all that a function does, whichever of its lines costs.
func OfFunction(a *analysis.Analyzer) bool { return a == usedPart || a == walkAgain }

// OnlyHot reports whether an analyzer's diagnostics mean something only where a profile shows cost: without heat they
// are ordinary code.
func OnlyHot(a *analysis.Analyzer) bool {
	return !slices.Contains([]*analysis.Analyzer{regexpInFunc, templateInFunc, lockOverIO, clientPerCall, unboundedGo,
		cacheGrows, leakySender, deferInLoop, jsonRoundTrip, concatInLoop, sprintfKey, stringBytes, buildPerCall,
		coderPerCall, queryAgain, bodyUnread, bodyClose, requestNoContext, splitOne, afterInLoop, selectSpin,
		tablePerCall}, a)
}
