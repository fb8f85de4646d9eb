package typescript

import (
	"strings"
	"testing"
	"time"
)

type odd float64

func (odd) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

type head struct {
	ID string `json:"id"`
}

type leaf struct {
	Value odd `json:"value"`
}

type everything struct {
	head
	Plain    int
	List     []string        `json:"list"`
	Lists    [][]float64     `json:"lists"`
	Pair     [2]int64        `json:"pair"`
	Leaf     *leaf           `json:"leaf"`
	Leaves   []leaf          `json:"leaves,omitempty"`
	By       map[string]bool `json:"by"`
	At       time.Time       `json:"at,omitzero"`
	Mixed    [][3]any        `json:"mixed"`
	Left     func()          `json:"-"`
	internal int
}

func TestInterfaces(t *testing.T) {
	_ = everything{internal: 1}
	exact := map[string]string{"odd": "number | null", "Everything.mixed": "[string, number, number][]"}
	got, err := Interfaces("// made\n", exact, everything{})
	if err != nil {
		t.Fatal(err)
	}
	want := `// made

export interface Everything {
  id: string;
  Plain: number;
  list: string[] | null;
  lists: (number[] | null)[] | null;
  pair: [number, number];
  leaf: Leaf | null;
  leaves?: Leaf[];
  by: Record<string, boolean> | null;
  at?: string;
  mixed: [string, number, number][];
}

export interface Leaf {
  value: number | null;
}
`
	if got != want {
		t.Errorf("made:\n%s\nwant:\n%s", got, want)
	}
}

// What cannot be declared is said, and so is a type for something that is not there.
func TestInterfacesRefuse(t *testing.T) {
	_, err := Interfaces("", map[string]string{"Leaf.gone": "x"}, leaf{})
	for _, want := range []string{"odd has a MarshalJSON", "nothing is called Leaf.gone"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q in it", err, want)
		}
	}
}
