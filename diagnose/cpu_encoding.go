package diagnose

import "github.com/gocasebook/casebook/diagnose/known"

// The kinds of this file are formats: JSON, XML, protocol buffers, compression. Using one is a service's job; what
// matters is how much of the CPU is left for the rest.

// jobScale is for work that may be the purpose of a service: healthy services have been seen with up to 30 % of the CPU
// in it. Without 30 % a service would be 1.4 times as fast, without 65 % 2.9 times, 1/(1−share).
func jobScale() Scale { return Scale{Worth: 0.30, Hurts: 0.65, Top: 1} }

const jobScaleWhy = "healthy services spend up to that; without 30 % they would be 1.4 times as fast, without 65 % " +
	"2.9 times."

func cpuJSON() Detector {
	return costKind{
		id: "CPU002", kind: "cpu-json", title: "JSON takes much of the CPU", what: "JSON",
		looks: "Looks for encoding/json (v1 and v2), json-iterator, sonic, go-json, segmentio, easyjson, gjson and " +
			"fastjson below lines of the user's code.",
		scale: jobScale(), scaleWhy: jobScaleWhy, whole: true,
		match: match{callbacks: true, calls: []known.Work{known.EncodesJSON}, into: compressors()},
		gain:  [2]float64{0.3, 0.8}, gainWhy: "a faster encoder saves about a third, not encoding the same value " +
			"again saves nearly all",
		// Reading the fields that are used instead of map[string]any saved 0.84 of JSON's share in the lab's
		// feature/decode-whole, keeping the bytes all of it in compute/join-decode.
		slow: &slowForm{
			calls: []known.Work{known.DecodesAny},
			gain:  [2]float64{0.5, 0.95}, gainWhy: "structs with only the fields in use, instead of map[string]any, " +
				"save half or more; no decoding saves nearly all",
		},
		explanation: "encoding/json uses reflection to find the type of every value and allocates for most of them; " +
			"decoding into map[string]any or any " +
			"allocates for each key and value. The same response is often encoded again for every request.",
		fixes: []Remedy{
			byChange("", "Encode and decode less", "At {line}: if the same goes to several receivers, or is "+
				"asked for again, encode it once and give all of them the same bytes. Otherwise leave out what nobody "+
				"reads, and page long lists. Decode into structs with the fields in use, not into "+
				"map[string]any; decode once and pass the value on.", "a cached response can be stale"),
			byChange(known.JSON, "Use encoding/json/v2", "GOEXPERIMENT=jsonv2 (Go 1.25 and later) decodes 2–10 "+
				"times as fast with few changes; encoding stays about the same.",
				"an experiment; some edge cases differ"),
			byPackage(known.JSON, "Use github.com/bytedance/sonic",
				"The same API; two to four times as fast on amd64 and arm64.",
				"a dependency with a just-in-time compiler, larger binaries"),
			byChange("", "Send less", "Leave out what the client does not read; page long lists.", "the API changes"),
		},
		before: `var m map[string]any
json.Unmarshal(body, &m) // for one field`,
		after: `var q struct{ ID int }
json.Unmarshal(body, &q)`,
	}.detector()
}

func cpuXML() Detector {
	return costKind{
		id: "CPU003", kind: "cpu-xml", title: "XML takes much of the CPU", what: "XML",
		looks: "Looks for encoding/xml and the common packages on top of it below lines of the user's code.",
		scale: Scale{Worth: 0.15, Hurts: 0.50, Top: 1}, scaleWhy: "encoding/xml is several times slower than other " +
			"decoders, so a smaller share is worth a look.", whole: true,
		match:       match{callbacks: true, calls: []known.Work{known.EncodesXML}, into: compressors()},
		gain:        [2]float64{0.3, 0.8},
		gainWhy:     "reading tokens instead of whole documents saves about a third, caching saves nearly all",
		explanation: "encoding/xml reads byte by byte and allocates for every name, attribute and text.",
		fixes: []Remedy{
			byChange("", "Decode less", "At {line}: read tokens with a Decoder and skip what you do not use "+
				"(Decoder.Skip); keep the decoded form while the document has not changed "+
				"(ETag, If-Modified-Since).", "more code"),
			byChange(known.XML, "Keep the encoded response", "Encode again only when the data has changed.",
				"a cached response can be stale"),
			byChange("", "Use another format with clients that support it",
				"JSON or protocol buffers cost a fraction of it.", "the API changes"),
		},
		before: `var doc Feed
xml.Unmarshal(body, &doc) // all of it for the first entry`,
		after: `dec := xml.NewDecoder(r) // Token, DecodeElement, Skip`,
	}.detector()
}

func cpuProtobuf() Detector {
	return costKind{
		id: "CPU005", kind: "cpu-protobuf", title: "Protocol buffers take much of the CPU", what: "Protobuf",
		looks: "Looks for google.golang.org/protobuf, github.com/golang/protobuf and gogo/protobuf below lines of " +
			"the user's code.",
		scale: jobScale(), scaleWhy: jobScaleWhy, whole: true,
		match: match{callbacks: true, calls: []known.Work{known.EncodesProtobuf}, into: compressors()},
		gain:  [2]float64{0.3, 0.6}, gainWhy: "generated code instead of reflection saves about half",
		// Without tables of a generated type every field goes through protoreflect. On the lab's worker vtprotobuf
		// saved 73 % of all CPU where dynamicpb and its garbage were 70 %.
		slow: &slowForm{
			calls: []known.Work{known.ProtobufByName},
			gain:  [2]float64{0.7, 0.95}, gainWhy: "generated code instead of messages without a generated type " +
				"saves nearly all",
		},
		explanation: "The protobuf runtime walks messages with reflection tables and allocates every message, list " +
			"and string that it decodes.",
		fixes: []Remedy{
			byChange(known.ProtoJSON, "Send protobuf, not its JSON form",
				"protojson is several times slower than the binary form.", "clients must speak it"),
			byChange(known.ProtoJSON, "Send less of it", "At {line}: leave out fields "+
				"and elements that nobody reads (a limit, pages, a field mask).", "clients must ask for the rest"),
			byChange(known.CloneMessage, "Do not copy what is only read", "At {line}: give all requests the same "+
				"message, "+
				"and treat it as unchangeable; where one field must differ, make a new message with that field "+
				"and the "+
				"other fields of the old one.", "messages are shared and must not be changed"),
			byPackage(known.Protobuf, "Generate marshalling code with "+
				"github.com/planetscale/vtprotobuf", "MarshalVT and UnmarshalVT need no reflection, and pools "+
				"reuse messages.", "another generator in the build").
				but(known.ProtoJSON), // which knows no generated code
			byChange("", "Decode and copy less", "At {line}: pass the decoded message on instead of calling "+
				"proto.Clone; send smaller messages; stream long lists.",
				"messages are shared and must not be changed"),
			byChange("", "Reuse messages", "proto.Reset and UnmarshalOptions.Merge into a pooled message.",
				"code that keeps a message reads someone else's data"),
		},
		before: `out := proto.Clone(in) // for every subscriber`,
		after:  `b, err := proto.Marshal(in) // once; the bytes go to all subscribers`,
	}.detector()
}
