package pyroscope_reporter //nolint:revive // the name is that of mosn.io/holmes

import (
	"errors"
	"time"
)

// Errors of Report, besides those of the connection.
var (
	ErrCloudTokenRequired = errors.New("pyroscope reporter: the server wants an authentication token")
	ErrUpload             = errors.New("pyroscope reporter: the server did not take the profile")
	ErrUpgradeServer      = errors.New("pyroscope reporter: the server cannot read the profile (422); it must be " +
		"0.3.1 or newer")
	// ErrNoProfile is of dumps that Pyroscope cannot read: those of WithTextDump. It is not in mosn.io/holmes, which
	// sends them.
	ErrNoProfile = errors.New("pyroscope reporter: the dump is a text; Pyroscope reads those of holmes.WithBinaryDump")
)

// An UploadFormat is how a profile is encoded.
type UploadFormat string

// Pprof is the format of dumps.
const Pprof UploadFormat = "pprof"

// Trie is a format of Pyroscope's own. It has no type, as in holmes.
const Trie = "trie"

// DefaultUploadRate is the stretch of time that a dump of a moment stands for: Pyroscope shows 10 s at a time.
const DefaultUploadRate = 10 * time.Second

// A RemoteConfig says where the server is.
type RemoteConfig struct {
	AuthToken       string // sent as a bearer token; empty for none
	UpstreamThreads int    // connections at most; 0 for any number
	UpstreamAddress string // of the server, without /ingest: http://pyroscope:4040
	// UpstreamRequestTimeout bounds a report. 0 means DefaultTimeout; holmes waits for ever.
	UpstreamRequestTimeout time.Duration

	ManualStart bool // not used
}

// DefaultTimeout bounds a report where the configuration does not.
const DefaultTimeout = 30 * time.Second

// An UploadJob is one upload.
type UploadJob struct {
	Name            string
	StartTime       time.Time
	EndTime         time.Time
	SpyName         string
	SampleRate      uint32
	Units           string
	AggregationType string
	Format          UploadFormat
	Profile         []byte
	PrevProfile     []byte
}
