package diagnose

import "slices"

// Detectors lists every built-in detector: the first of each family, the rows of known calls (cost.go), the rest by
// family, and those that judge the evidence itself. People see them in this order; findings are sorted by what they
// say.
func Detectors() []Detector {
	return slices.Concat([]Detector{
		gcCPU(), gcPointerHeap(), cpuHotFunction(), allocSite(), goroutineSurge(), lockContention(),

		cpuJSON(), cpuXML(), cpuProtobuf(), cpuCompression(),
		cpuMapHash(), cpuCopy(), cpuTimeNow(), cpuSort(), cpuReflect(), cpuCgo(),
		cpuCrypto(), cpuLogging(), cpuRegexp(),
		cpuLinearSearch(), cpuQuadratic(),
		regexpCompile(), templateParse(), reflectPerCall(), loopInvariant(),
		allocGrow(), allocStringConcat(), allocFmt(), allocBytesString(), allocBoxing(), allocClosure(), allocTimer(),
		allocOversized(), allocPoolable(), allocMapTemp(), bufferPerCall(),
		ioSmall(), ioReread(), ioLog(), ioFsync(), ioCompaction(),
		cpuSpin(), goroutineBusyPoll(), contextChain(),
		cpuRuntime(), goroutineChurn(), cpuQuota(), cpuNeighbours(), cpuSteal(),

		gcAssist(), gcFrequency(), gcDeathSpiral(), gcForced(), gcFinalizers(), gcBallast(), allocProfiler(),
		memLeak(), memGiant(), memMapNeverShrinks(), memStacks(), memOffHeap(), memFragmentation(),
		memSubsliceRetained(), memLimitNear(),
		goroutineLeak(), goroutineStuck(), goroutineDeadlock(), threadSurge(), timerLeak(), connectionLeak(), childUnwaited(),
		lockRWMutex(), lockSyncMap(), lockHeldIO(), lockNeverReleased(), chanBottleneck(),
		netNoKeepAlive(), netDNSTLS(), netRoundTrips(), fdLimit(),
		expiryStampede(), periodicSpike(), slowDependency(), startupOnly(),
		schedLatency(), schedHog(), schedIdle(), gomaxprocsMismatch(), overload(), gcSTW(), syscallLong(),
		knownFaultDetector(), crashDetector(), requestPanic(),
	}, waitDetectors(), []Detector{
		evidenceFewSamples(), evidenceTruncated(), evidenceStaleHeap(), evidenceShort(), evidenceSymbols(),
	})
}
