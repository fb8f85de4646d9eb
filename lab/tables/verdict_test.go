package tables

import "testing"

func TestTimesAs(t *testing.T) {
	for _, tt := range []struct {
		first, second float64
		want          string
	}{
		{100, 50, "2 times as fast"},
		{100, 83, "1.2 times as fast"},
		{100, 90, "as fast"},
		{90, 100, "as fast"},
		{100, 320, "3.2 times slower"},
		{100, 0, "not measured"},
		{0, 100, "not measured"},
	} {
		if got := timesAs(tt.first, tt.second); got != tt.want {
			t.Errorf("timesAs(%g, %g) = %q, want %q", tt.first, tt.second, got, tt.want)
		}
	}
}

func TestListed(t *testing.T) {
	for want, all := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b",
		"c"}} {
		if got := listed(all); got != want {
			t.Errorf("listed(%q) = %q, want %q", all, got, want)
		}
	}
}

// resultOf is a result of so much CPU beside the first form's.
func resultOf(subject, form string, first, cpu, bytes, objects float64) result {
	return result{subject: subject, form: form, first: middle{median: first}, cpu: middle{median: cpu}, bytes: bytes,
		objects: objects}
}

func TestHolds(t *testing.T) {
	conversions := func(copied, kept float64) results {
		return results{
			resultOf(conversion16, copyless, copied, kept, 0, 0), resultOf(conversion1k, copyless, 10*copied, kept,
				0, 0),
			resultOf(conversionKey, "string(b)", 10, 10, 0, 0), resultOf(conversionKey, copyless, 10, 10, 0, 0),
		}
	}
	for _, tt := range []struct{ got, want string }{
		{conversionsHold(conversions(30, 2)), "Still true: without a copy it is 15 times as fast for 16 B and 150 " +
			"times as fast for 1 kB. As a map's key the language makes no copy either, and package unsafe is as " +
			"fast: there is nothing to gain."},
		{conversionsHold(conversions(2, 2)), "True in part: without a copy it is as fast for 16 B and 10 times as " +
			"fast for 1 kB. As a map's key the language makes no copy either, and package unsafe is as fast: there " +
			"is nothing to gain."},
		{newHolds(results{resultOf(newStays, byVar, 3, 3, 0, 0), resultOf(newStays, byNew, 3, 3, 0, 0),
			resultOf(newEscapes, byNew, 60, 60, 64, 1)}), "Half true: what stays in its function costs no object, by " +
			"new and make as by a variable. An object each: new (escapes). What escapes takes 20 times as long."},
		{newHolds(results{resultOf(newStays, byMake, 3, 60, 64, 1), resultOf(newStays, byNew, 3, 3, 0, 0),
			resultOf(newEscapes, byNew, 60, 60, 64, 1)}), "True: new and make bring objects to the heap even where " +
			"they stay in their function. An object each: make (stays) and new (escapes). What escapes takes 20 " +
			"times as long."},
		{branchesHold(results{resultOf(branchSum, inOrder, 6, 6, 0, 0), resultOf(branchSplit, inOrder, 8, 1, 0, 0),
			resultOf(branchSplit, noBranch, 8, 2, 0, 0), resultOf(branchWalk, inOrder, 12, 1, 0, 0)}), "True in " +
			"part: sorted, the sum is as fast and the split 8 times as fast; written without a branch and unsorted " +
			"the split is 4 times as fast. Memory read in its order is 12 times as fast."},
		{poolHolds(nil), "No longer true: making is as fast at every size."},
		{poolHolds([]string{"32 B", "96 B"}), "Still true, and of smaller objects, too: in one goroutine, without " +
			"another started for each object, a pool gains from 32 B on."},
		{lookupHolds([]lookedUp{{8, 5, 5, 2}, {1024, 10, 30, 0}}), "No longer true of a sorted slice: beside the map " +
			"it is as fast with 8 and 3 times slower with 1,024. A scan of 8 numbers is 2.5 times as fast."},
		{lookupHolds([]lookedUp{{8, 10, 5, 2}, {1024, 10, 30, 0}}), "True in part of a sorted slice: beside the map " +
			"it is 2 times as fast with 8 and 3 times slower with 1,024. A scan of 8 numbers is 5 times as fast."},
		{compressionHolds([]compressor{{level: 9, size: 1000, cpu: 100}, {level: 6, size: 1001, cpu: 50},
			{library: "other", level: 1, size: 1100, cpu: 10}}), "Still true: beside level 9, level 6 is 0.1 % " +
			"larger for 50 % of its CPU; level 1 of other is 10 % larger for 10 % of its CPU. How much 6 saves " +
			"depends on how much a message repeats."},
		{compressionHolds([]compressor{{level: 9, size: 1000, cpu: 100}, {level: 6, size: 1001, cpu: 95}})[:24],
			"Not so of these messages"},
		{fieldsHold(results{resultOf(intoStruct, standardJSON, 7, 7, 300, 9), resultOf(intoStruct, "sonic", 7, 3.5,
			9, 1),
			resultOf(byPath, "gjson", 7, 7, 64, 1)}), "True in part. Beside encoding/json, into a struct: sonic 2 " +
			"times as fast; by path: gjson as fast. gjson makes 64 B for a text, encoding/json 300 B."},
		{codecBytesHold([]garbage{{codec: "FlatBuffers"}, {codec: "JSON", all: cost{bytes: 200}},
			{codec: "Avro, maps", all: cost{bytes: 100}}}), "Still true: to read all 0 B by FlatBuffers, 200 B by " +
			"encoding/json, 100 B by linkedin/goavro."},
		{codecBytesHold([]garbage{{codec: "FlatBuffers"}, {codec: "JSON", all: cost{bytes: 100}},
			{codec: "Avro, maps", all: cost{bytes: 200}}}), "True of FlatBuffers, which makes the least; " +
			"linkedin/goavro makes more than encoding/json: to read all 0 B by FlatBuffers, 100 B by encoding/json, " +
			"200 B by linkedin/goavro."},
		{httpHolds(askedServer{cpu: 14, own: 8, rate: 100, http2: true}, askedServer{cpu: 7, own: 1, rate: 150}),
			"Still true: in its own work fasthttp is 8 times as fast, with the kernel's 2 times as fast; it answers " +
				"1.5 times as many requests a second, where the article's figures are 1.3. It still lacks HTTP/2, " +
				"which net/http has."},
		{httpHolds(askedServer{cpu: 14, own: 2, rate: 100}, askedServer{cpu: 13, own: 1, rate: 100}), "True of the " +
			"server's own work: in its own work fasthttp is 2 times as fast, with the kernel's as fast; it answers 1 " +
			"times as many requests a second, where the article's figures are 1.3. Neither speaks HTTP/2."},
		{pausesHold(paused{percent: 100, rate: 10, median: 100}, paused{percent: 1000, rate: 1, median: 150}),
			"Still true: at GOGC=1000 there are 1/s cycles instead of 10/s at 100, and a pause is 150 ns instead of " +
				"100 ns in the median."},
		{codecsHolds(map[string]codecRead{"FlatBuffers": {400, 60}, "Avro, maps": {7000, 9000}, "JSON": {15000, 7000},
			"Avro": {1000, 200}}), "The article's order, FlatBuffers, linkedin/goavro, encoding/json (1.1, 23 and 87 " +
			"µs for all fields, 20 ns, 19 and 84 µs for few), holds (400 ns, 7 µs, 15 µs) for all fields, and is " +
			"another today (60 ns, 9 µs, 7 µs) for three. hamba/avro, which reads into structs and skips what they " +
			"lack, takes 1 µs and 200 ns."},
		{pausesHold(paused{median: 100}, paused{median: 200})[:20], "Not by these figures"},
	} {
		if tt.got != tt.want {
			t.Errorf("got  %s\nwant %s", tt.got, tt.want)
		}
	}
}

// TestSpeaksHTTP2 asks servers that speak it, that speak HTTP/1 only, and that hang up.
func TestSpeaksHTTP2(t *testing.T) {
	servers, closeAll, err := startServers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := closeAll(); err != nil {
			t.Error(err)
		}
	}()
	for i, want := range []bool{false, true} { // the bare one and net/http; what fasthttp does is its table's to say
		got, err := speaksHTTP2(t.Context(), servers[i].listener.Addr().String())
		if err != nil || got != want {
			t.Errorf("%s speaks HTTP/2: %v, %v; want %v", servers[i].name, got, err, want)
		}
	}
	if _, err := speaksHTTP2(t.Context(), "127.0.0.1:0"); err == nil {
		t.Error("asking nobody was no error")
	}
}
