package moment_test

import (
	"testing"

	"github.com/gocasebook/casebook/internal/moment"
	"github.com/google/pprof/profile"
)

func typed(values ...string) (types []*profile.ValueType) {
	for _, v := range values {
		types = append(types, &profile.ValueType{Type: v})
	}
	return types
}

func TestNarrow(t *testing.T) {
	heap := &profile.Profile{SampleType: typed("alloc_objects", "alloc_space", "inuse_objects", "inuse_space"),
		DefaultSampleType: "alloc_space",
		Sample:            []*profile.Sample{{Value: []int64{5, 500, 0, 0}}, {Value: []int64{9, 900, 2, 200}}}}
	if !moment.Narrow(heap) || len(heap.SampleType) != 2 || heap.SampleType[1].Type != "inuse_space" ||
		heap.DefaultSampleType != "inuse_space" {
		t.Errorf("of a heap profile are left the values %v, by default %s", heap.SampleType, heap.DefaultSampleType)
	}
	if len(heap.Sample) != 1 || heap.Sample[0].Value[1] != 200 {
		t.Errorf("of its samples are left %v; want the one that is in use", heap.Sample)
	}
	for _, whole := range [][]string{{"samples", "cpu"}, {"alloc_objects", "alloc_space"}, nil} {
		samples := []*profile.Sample{{Value: make([]int64, len(whole))}}
		p := &profile.Profile{SampleType: typed(whole...), Sample: samples}
		if moment.Narrow(p) || len(p.SampleType) != len(whole) || len(p.Sample) != 1 {
			t.Errorf("of %v are left %v", whole, p.SampleType)
		}
	}
}
