package feature

import "strconv"

// appendGroup writes a group as encoding/json does. Names are of this package and need no escaping.
func appendGroup(b []byte, g *Group) []byte {
	b = append(b, `{"features":[`...)
	for i, f := range g.Features {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendFeature(b, f)
	}
	b = append(b, `],"group":"`...)
	b = append(b, g.Group...)
	b = append(b, `","user":`...)
	b = strconv.AppendUint(b, g.User, 10)
	return append(b, '}')
}

func appendFeature(b []byte, f *Feature) []byte {
	b = append(b, `{"count":`...)
	b = strconv.AppendInt(b, f.Count, 10)
	b = append(b, `,"name":"`...)
	b = append(b, f.Name...)
	b = append(b, `","value":`...)
	b = strconv.AppendFloat(b, f.Value, 'f', -1, 64)
	return append(b, '}')
}

// appendOpen and appendClose write what stands around the groups of an answer:
// {"groups":{"clicks":…,"views":…},"user":7}.
func appendOpen(b []byte) []byte { return append(b, `{"groups":{`...) }

func appendName(b []byte, i int, g groupID) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, g.String()...)
	return append(b, `":`...)
}

func appendClose(b []byte, user uint64) []byte {
	b = append(b, `},"user":`...)
	b = strconv.AppendUint(b, user, 10)
	return append(b, '}')
}
