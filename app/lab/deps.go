package lab

// What the services that are being written need; each takes over its line. This file goes with the last of them.
import (
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/planetscale/vtprotobuf/protohelpers"
	_ "github.com/twmb/franz-go/pkg/kfake"
	_ "github.com/twmb/franz-go/pkg/kgo"
)
