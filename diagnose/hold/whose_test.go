package hold

import (
	"testing"
)

func TestReceiver(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/s3.(*Client).GetObject.func1": "*Client", "example.com/s3.NewReader": "",
		"example.com/s3.NewReader.func2.1": "", "example.com/s3.Cache.Get": "Cache",
		"example.com/s3.(*Pool[...]).run": "*Pool", "gopkg.in/yaml%2ev3.(*parser).next": "*parser",
	} {
		if got := receiver(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
