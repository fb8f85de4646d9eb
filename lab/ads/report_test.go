package ads

import (
	"encoding/json"
	"math"
	"testing"
)

func TestReportForms(t *testing.T) {
	for _, l := range []reportLine{
		{},
		{1, 2, 3, "DE", 4, 5, 6, 7, "https://cdn.example.com/1.webp", 8, 9, 10, 11, 12, true},
		{math.MaxInt64, math.MinInt64, -1, `"\` + "\n", -4, -5, -6, -7, "ü\t", -8, -9, -10, -11, -12, false},
	} {
		direct, reflected := string(appendDirect(nil, &l)), string(appendReflected(nil, &l))
		if direct != reflected {
			t.Errorf("%+v\ndirect    %s\nreflected %s", l, direct, reflected)
		}
		var fields map[string]any
		if err := json.Unmarshal([]byte(direct), &fields); err != nil || len(fields) != 15 {
			t.Errorf("%s: %d fields, %v; want a JSON object of 15", direct, len(fields), err)
		}
	}
}
