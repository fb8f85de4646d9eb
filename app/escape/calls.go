package escape

import "strings"

// A call is a function of a library that allocates for its caller, and what takes its place.
type call struct {
	prefix string // of the function's name as profiles have it
	change string
}

// calls are looked through in order; the first whose prefix fits counts.
func calls() []call {
	const (
		format = "Format without package fmt: strconv and +, or strconv.Append… into a []byte that is used again."
		typed  = "Log with typed fields (slog's LogAttrs, zap's Logger) and ask first whether the level is on."
		pooled = "Keep it, in a sync.Pool where calls run at once, and Reset it: it is large."
		number = "Use strconv.Append… into a []byte that is used again: it makes no string."
		decode = "Decode into a struct with the fields that are used, not into maps and any; generated code takes less."
		run    = "Execute into a buffer that is used again; templates work by reflection."
		parse  = "Parse it once, as a package's variable."
		once   = "Parse it once and keep the result, or read only the part that is used."
		label  = "Keep what it returns where the labels come again, and give them few values: each new one makes a metric."
		search = "Use the forms that take and return bytes or indices of a []byte that is there, and match less."
	)
	return []call{
		{"fmt.Sp", format}, {"fmt.Append", format},
		{"fmt.Fp", "Write without package fmt: io.WriteString, and strconv.Append… into a []byte that is used again."},
		{"fmt.Errorf", "Make the error once, or format it only when somebody reads it, in its Error method."},
		{"fmt.Sscan", "Parse with strconv and strings.Cut: package fmt scans rune by rune."},
		{"errors.New", "Make the error once, as a package's variable, if its text is always the same."},
		{"strconv.Itoa", number}, {"strconv.Format", number}, {"strconv.Quote", number},
		{"strings.Split", "Range over strings.SplitSeq, or use strings.Cut for one field: neither makes a slice."},
		{"strings.Fields", "Range over strings.FieldsSeq: it makes no slice."},
		{"strings.(*Builder)", "Grow the Builder once to the length that will come."},
		{"strings.Join", "Append the parts to a []byte that is used again, or write them one after the other."},
		{"strings.Repeat", "Make it once, or write the part as often as needed."},
		{"strings.Replace", "Use a strings.Replacer that is made once, with WriteString."},
		{"strings.ToLower", "Compare with strings.EqualFold, or lower it once where it comes from."},
		{"strings.ToUpper", "Compare with strings.EqualFold, or raise it once where it comes from."},
		{"bytes.Split", "Range over bytes.SplitSeq, or use bytes.Cut for one field."},
		{"bytes.(*Buffer)", "Keep the Buffer and Reset it (a sync.Pool where calls run at once), or Grow it once."},
		{"bytes.growSlice", "Keep the Buffer and Reset it (a sync.Pool where calls run at once), or Grow it once."},
		{"bytes.Clone", "Copy only what is changed or kept."},
		{"slices.Clone", "Copy only what is changed or kept."},
		{"slices.Grow", ""},
		{"maps.Clone", "Copy only what is changed or kept."},
		{"io.ReadAll", "Read into a bytes.Buffer that is used again, grown to the length if that is known; or decode from " +
			"the reader."},
		{"os.ReadFile", "Read it once and keep it, or read with a buffer that is used again."},
		{"io.Copy", "Use io.CopyBuffer with a buffer that is used again, where neither side has ReadFrom or WriteTo."},
		{"io.copyBuffer", "Use io.CopyBuffer with a buffer that is used again, where neither side has ReadFrom or WriteTo."},
		{"bufio.NewScanner", "Give the Scanner a buffer that is used again (Buffer)."},
		{"bufio.(*Scanner).Text", "Use Bytes: Text makes a string of each line."},
		{"bufio.New", pooled},
		{"encoding/json.Marshal", "Encode into a writer or a buffer that is used again (json.NewEncoder), or with " +
			"generated code."},
		{"encoding/json.(*Encoder)", "Encode structs and not maps or any, keep the Encoder's buffer, or use generated code."},
		{"encoding/json.NewEncoder", "Keep the Encoder for as long as its writer."},
		{"encoding/json.Unmarshal", decode}, {"encoding/json.(*Decoder)", decode},
		{"encoding/hex.", "Use hex.AppendEncode or hex.Encode into a []byte that is used again."},
		{"encoding/base64.", "Use AppendEncode or AppendDecode into a []byte that is used again."},
		{"encoding/binary.Read", "Use binary.BigEndian.Uint32 and the like: Read and Write go through reflection."},
		{"encoding/binary.Write", "Use binary.BigEndian.AppendUint32 and the like: Read and Write go through reflection."},
		{"compress/", pooled},
		{"github.com/klauspost/compress/", pooled},
		{"time.New", "Make the timer once, and Reset it."},
		{"time.After", "Make a timer once, and Reset it."},
		{"time.Time.Format", "Use AppendFormat into a []byte that is used again."},
		{"time.Time.String", "Use AppendFormat into a []byte that is used again."},
		{"context.With", "Make one context for a request, not one for each call in it."},
		{"sort.S", "Use slices.SortFunc or slices.Sort, which take the slice as it is."},
		{"regexp.MustCompile", "Compile it once, as a package's variable."},
		{"regexp.Compile", "Compile it once, as a package's variable."},
		{"regexp.(*Regexp)", search},
		{"net/url.Parse", once},
		{"net/url.(*URL).Query", "Call Query once for a request and keep the result."},
		{"net/http.Header.Set", "Set only the headers that are read; each value takes a slice."},
		{"net/http.Header.Add", "Set only the headers that are read; each value takes a slice."},
		{"net/http.NewRequest", "Make the request once, and Clone what changes."},
		{"crypto/sha256.New", "Use sha256.Sum256, which takes nothing, where all bytes are there."},
		{"crypto/md5.New", "Use md5.Sum, which takes nothing, where all bytes are there."},
		{"crypto/hmac.New", "Keep the hash and Reset it."},
		{"sync.(*Pool).Get", ""},
		{"sync.(*Map)", "A sync.Map takes an entry, and an interface for key and value: a map with a lock takes less when " +
			"it is written often."},
		{"github.com/prometheus/client_golang/prometheus.(*CounterVec).With", label},
		{"github.com/prometheus/client_golang/prometheus.(*GaugeVec).With", label},
		{"github.com/prometheus/client_golang/prometheus.(*HistogramVec).With", label},
		{"github.com/prometheus/client_golang/prometheus.(*SummaryVec).With", label},
		{"text/template.(*Template).Execute", run}, {"html/template.(*Template).Execute", run},
		{"text/template.(*Template).Parse", parse}, {"html/template.(*Template).Parse", parse},
		{"log.Print", typed}, {"log.(*Logger)", typed}, {"log/slog.", typed}, {"go.uber.org/zap.(*SugaredLogger)", typed},
		{"github.com/sirupsen/logrus.", typed},
		{"reflect.", "Use the type itself: reflection puts what it makes on the heap."},
		{"container/list.", "Keep elements in a slice, or in a list of their own type."},
		{"net.IP.String", "Use net/netip, and AppendTo into a []byte that is used again."},
		{"github.com/google/uuid.UUID.String", "Keep it as the 16 bytes it is, and write it where it goes."},
	}
}

// changeOfCall is what takes the place of a call of a library's; known is false of one that is not listed.
func changeOfCall(function string) (change string, known bool) {
	for _, c := range calls() {
		if strings.HasPrefix(function, c.prefix) {
			return c.change, true
		}
	}
	return "", false
}
