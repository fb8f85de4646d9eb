package diagnose_test

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestGeneratedClient: the code that Thrift's compiler makes is not the place to change; who calls its client is.
func TestGeneratedClient(t *testing.T) {
	const (
		app       = "example.com/app"
		generated = app + "/gen.(*Row).writeField1 " + app + "/gen.(*Row).Write " + app + "/gen.(*StorePutArgs).Write "
		client    = thriftPkg + ".(*TStandardClient).Send " + thriftPkg + ".(*TStandardClient).Call "
		put       = app + "/gen.(*StoreClient).Put "
	)
	for _, tt := range []struct{ name, above, want string }{
		{"called by the program", generated + client + put + "main.store main.main", "main.store"},
		{"through the library's middleware", generated + client + thriftPkg + ".WrappedTClient.Call " + put +
			"main.store main.main", "main.store"},
		{"through a middleware of the program's", generated + client + app + "/retry.New.func1 " + thriftPkg +
			".WrappedTClient.Call " + put + "main.store main.main", "main.store"},
		{"through a method around the client", generated + client + put + app + "/db.(*Table).put main.store main.main",
			app + "/db.(*Table).put"},
		{"in a goroutine of the client's", generated + client + put + app + "/db.(*Table).flush",
			app + "/db.(*Table).flush"},
		{"a client of a dependency", "lib.example.org/hbase.(*TPut).Write " +
			"lib.example.org/hbase.(*HbasePutArgs).Write " +
			client + "lib.example.org/hbase.(*HbaseClient).Put main.store main.main", "main.store"},
		{"the protocol by hand", "main.record main.store main.main", "main.record"},
		{"a server's answer", generated + app + "/gen.(*storeProcessorPut).Process " + thriftPkg +
			".(*TSimpleServer).processRequests " + thriftPkg + ".(*TSimpleServer).innerAccept.func1",
			app + "/gen.(*Row).writeField1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ticks := map[string]int64{"main.other main.main": 200}
			for _, field := range []string{"WriteI16 ", "WriteI32 ", "WriteByte ", "WriteString "} {
				ticks[thriftSocket+thriftPkg+".(*TBinaryProtocol)."+field+tt.above] = 150
			}
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, ticks)}, Build: casefile.Build{Module: app}}
			got := findingOf(diagnose.Run(t.Context(), in, diagnose.Options{}).Findings, "io-small")
			if got == nil || got.Where[0].Function != tt.want {
				t.Errorf("%+v; want %s first", got, tt.want)
			}
		})
	}
}
