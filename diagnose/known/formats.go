package known

import "strings"

// formats are the functions that turn data into another form.
func formats() []Row {
	return []Row{
		{Work: Formats, Functions: []string{"fmt."}},
		{Work: DumpsValues, Functions: []string{"github.com/davecgh/go-spew/", "github.com/k0kubun/pp",
			"github.com/sanity-io/litter.", "github.com/kr/pretty.", "github.com/alecthomas/repr.",
			"github.com/yudai/pp", "github.com/gookit/goutil/dump.", "net/http/httputil.Dump*",
			"runtime/debug.Stack", "runtime/debug.PrintStack", "runtime.Stack"}},
		{Work: EncodesJSON, Functions: []string{"encoding/json.", "encoding/json/", "github.com/json-iterator/go.",
			"github.com/bytedance/sonic", "github.com/goccy/go-json", "github.com/segmentio/encoding/json",
			"github.com/mailru/easyjson", "github.com/tidwall/gjson.", "github.com/tidwall/sjson.",
			"github.com/valyala/fastjson.", "github.com/buger/jsonparser.", "github.com/go-json-experiment/json"}},
		{Work: DecodesAny, Functions: []string{"encoding/json.mapEncoder.encode",
			"encoding/json.(*decodeState).valueInterface", "encoding/json.(*decodeState).objectInterface",
			"encoding/json.(*decodeState).arrayInterface", "encoding/json/v2.unmarshalValueAny",
			"encoding/json/v2.unmarshalObjectAny", "github.com/go-json-experiment/json.unmarshalValueAny",
			"github.com/go-json-experiment/json.unmarshalObjectAny"}},
		{Work: EncodesXML, Functions: []string{"encoding/xml.", "github.com/beevik/etree.",
			"github.com/antchfx/xmlquery."}},
		{Work: EncodesProtobuf, Functions: []string{"google.golang.org/protobuf/", "github.com/golang/protobuf/",
			"github.com/gogo/protobuf/"}},
		{Work: ProtobufByName, Functions: []string{"google.golang.org/protobuf/types/dynamicpb.",
			"google.golang.org/protobuf/proto.UnmarshalOptions.unmarshalMessageSlow",
			"google.golang.org/protobuf/proto.MarshalOptions.marshalMessageSlow",
			"google.golang.org/protobuf/proto.MarshalOptions.sizeMessageSlow"}},

		{Work: Compresses, Functions: []string{"compress/", "github.com/klauspost/compress/",
			"github.com/klauspost/pgzip.", "github.com/golang/snappy.", "github.com/DataDog/zstd.",
			"github.com/valyala/gozstd.", "github.com/pierrec/lz4", "github.com/minio/minlz",
			"github.com/andybalholm/brotli.",
			"github.com/ulikunitz/xz"}},
		{Work: StoresAsIs, Functions: []string{"compress/flate.(*huffmanBitWriter).writeBytes",
			"github.com/klauspost/compress/flate.(*huffmanBitWriter).writeBytes"}},
		{Work: PutsOut, Functions: []string{"compress/flate.(*huffmanBitWriter).write",
			"github.com/klauspost/compress/flate.(*huffmanBitWriter).write"},
			Except: []string{"compress/flate.(*huffmanBitWriter).writeBlock",
				"github.com/klauspost/compress/flate.(*huffmanBitWriter).writeBlock"}},
		// Parsers that try one form after another make errors that nobody looks at: strconv's and time's are left out.
		{Work: MakesError, Functions: []string{"errors.New", "errors.Join", "fmt.Errorf",
			"encoding/json.(*scanner).error", "encoding/json.(*decodeState).saveError",
			"encoding/json.(*decodeState).addErrorContext", "github.com/pkg/errors.", "github.com/cockroachdb/errors.",
			"golang.org/x/xerrors.", "google.golang.org/grpc/internal/status.New", "google.golang.org/grpc/status.",
			"github.com/redis/go-redis/v9/internal/proto.ParseErrorReply",
			"github.com/redis/go-redis/v9/internal/proto.parseTypedRedisError",
			"github.com/jackc/pgx/v5/pgconn.ErrorResponseToPgError"}, Except: []string{"github.com/pkg/errors.Is",
			"github.com/pkg/errors.As", "github.com/pkg/errors.Unwrap", "github.com/pkg/errors.Cause",
			"github.com/cockroachdb/errors.Is", "github.com/cockroachdb/errors.As"}},
		{Work: FailsToParse, Functions: []string{"time.newParseError", "strconv.toError", "strconv.syntaxError",
			"strconv.rangeError"}},
		{Work: SearchesMatches, Functions: []string{"compress/flate.(*compressor).findMatch",
			"github.com/klauspost/compress/flate.(*compressor).findMatch",
			"github.com/andybalholm/brotli.findLongestMatchH10", "github.com/andybalholm/brotli.createZopfliBackwardReferences",
			"github.com/ulikunitz/xz/lzma.(*binTree)", "github.com/pierrec/lz4/v4/internal/lz4block.(*CompressorHC)"}},
		// No lower level does less, and no other Go package is known to be faster. klauspost/compress writes Huffman
		// codes at all levels; at the higher ones it takes longer to find matches.
		{Work: LeastCodec, Functions: []string{"github.com/klauspost/compress/flate.(*fastEncL1)",
			"github.com/klauspost/compress/flate.(*huffmanBitWriter)",
			"github.com/klauspost/compress/flate.(*decompressor)", "github.com/klauspost/compress/flate.(*dictDecoder)",
			"github.com/klauspost/compress/zstd.(*fastEncoder)", "github.com/klauspost/compress/zstd.(*Decoder)",
			"github.com/klauspost/compress/zstd.(*blockDec)", "github.com/klauspost/compress/zstd.(*frameDec)",
			"github.com/klauspost/compress/s2.", "github.com/klauspost/compress/snappy.", "github.com/golang/snappy.",
			"github.com/pierrec/lz4/v4/internal/lz4block.(*Compressor)",
			"github.com/pierrec/lz4/v4/internal/lz4block.UncompressBlock"}},

		{Work: EncryptsOrSigns, Functions: []string{"crypto/", "golang.org/x/crypto/", "github.com/minio/sha256-simd"},
			Except: []string{"crypto/tls.", "crypto/rand.", "crypto/internal/entropy", "crypto/x509.Parse*"}},
		{Work: DerivesKey, Functions: []string{"crypto/pbkdf2", "golang.org/x/crypto/bcrypt",
			"golang.org/x/crypto/argon2", "golang.org/x/crypto/scrypt", "golang.org/x/crypto/pbkdf2"}},
		{Work: SumsBytes, Functions: []string{"hash/crc32.", "hash/crc64.", "hash/adler32.",
			"github.com/cespare/xxhash/", "github.com/OneOfOne/xxhash", "github.com/pierrec/xxHash",
			"github.com/klauspost/crc32", "github.com/minio/sha256-simd"}},
		{Work: Digests, Functions: []string{"hash/fnv.", "hash/maphash.", "crypto/md5.", "crypto/sha1.",
			"crypto/sha256.", "crypto/sha512.", "crypto/internal/fips140/sha256.", "crypto/internal/fips140/sha512.",
			"github.com/cespare/xxhash/", "github.com/OneOfOne/xxhash", "github.com/zeebo/xxh3.",
			"github.com/spaolacci/murmur3.", "github.com/twmb/murmur3.", "golang.org/x/crypto/blake2b."}},

		{Work: MatchesPattern, Functions: []string{"regexp.", "github.com/dlclark/regexp2.",
			"github.com/grafana/regexp.", "github.com/wasilibs/go-re2"}},
	}
}

// CloneMessage is the call that copies a message, by which remedies are chosen.
const CloneMessage = "google.golang.org/protobuf/proto.Clone"

// Input is what a package of the standard library's is read for, and how its user makes that smaller; "" for packages
// that do not tell.
func Input(pkg string) (what, smaller string) {
	if pkg == "image" || strings.HasPrefix(pkg, "image/") {
		return "the pixels of an image", "Scale the image down first"
	}
	return "", ""
}

// ReadsHeader is what net/http reads the header of a request with, and of a client's answer.
const ReadsHeader = "net/textproto.readMIMEHeader"
