package tables

// Whether what is said of a table holds on today's Go, by its figures in docs/evidence/lab.md. Who measures anew and finds
// another order of the forms changes the sentence here. Tables whose sentence is made of their figures, by the words of
// verdict.go, are not among these.
const (
	arraysHolds = "Still true: the copy is made, and costs half of the loop to one and a half times as much " +
		"again with 96 B, and one and a half to four times with 2 kB."
	rangeHolds = "Still true of large elements, by 8 to 17 times instead of 12 to 68. With 96 B it is 3 to 4 " +
		"times while the slice fits into the caches, and hardly anything beyond, where memory sets " +
		"the pace. Index and pointer are the same."
	goroutinesHolds = "Half true. Reused goroutines that are started on demand cost more CPU than new ones, as in " +
		"the article, and spare the collector its cycles; but a million new ones bring 2 cycles where " +
		"it counted 44. What gains is few workers: as many as CPUs take a fifth of the time or less."
	mapPoolHolds = "No longer true: emptied by clear, which Go 1.17 did not have, a pooled map takes half of the " +
		"time of a new one with 2,000 entries, and a fraction with 20. Emptied key by key it is " +
		"slower than a new one. For 20 entries a map made for 20 does as well: a map should be made " +
		"for what comes."
	objectsHolds = "True of merged objects, which take half of the time. A bytes.Buffer by value saves one " +
		"object and little time. Captured together and with an array inside, bytes or objects become " +
		"fewer, and the time is nearly the same."
	growHolds = "True: with room for all a slice fills 2 to 5 times as fast, a map up to 3 times. Room for " +
		"ten times as many is slower than no size at all: a guess must not be far off."
	layoutHolds = "True: 24 bytes instead of 40 save a third of the time or more when a million are walked. An " +
		"int8 takes an eighth of the memory; its time depends on the machine, and was nearly twice as " +
		"long in this run. Counters side by side cost more, when two CPUs change them at the same moment."
	deferHolds = "True: a defer costs little where a function ends soon. In a loop each is kept on the heap, " +
		"takes many times as long, and holds everything open until the end."
	mutexHolds = "True alone, by a factor of about two, and of Add always. A CAS loop may lose to the mutex " +
		"with two goroutines on two idle CPUs, and wins with many. An RWMutex that is only written is " +
		"slower than a mutex."
	readersHolds = "True of short reads by several goroutines, up to twice. Of long ones it is the same on two " +
		"CPUs. An atomic pointer to what does not change beats both where reads are short."
	modesHolds = "Still true: whoever waits is overtaken for a millisecond, dozens of times where the mutex is " +
		"held for 10 µs, and then gets it next."
	limiterHolds  = "True, by less than twice. Asking the clock is a good part of both."
	channelsHolds = "True: with 16 places a number takes about a third of the time. More places bring little."
	contextsHolds = "True for what it frees: without one every call is held until the service answers. It costs a " +
		"quarter to three quarters of a microsecond a call."
	writesHolds = "Still true: with any buffer a piece costs a twentieth or less. A Builder that is grown takes " +
		"a twentieth of s += piece."
)
