package cache

// ghosts remembers keys that were evicted from the small queue lately: as many as the shard has entries. A key is nine
// bits of its hash in a bucket that other bits choose, with six bits of age. So one key in sixty looks like a ghost
// without being one, and moves to the main queue too early, which does no harm. It takes two bytes an entry, and none
// before the first eviction.
type ghosts struct {
	cells    []uint16 // tag<<6 | age; 0: none
	age      uint16   // of what is added now, 1–63 and around
	added    int      // since age was raised
	lifetime int      // in keys
}

const (
	ghostBucket  = 8
	ghostAgeBits = 6
	ghostAges    = 1 << ghostAgeBits
	ghostSteps   = ghostAges / 2 // how many ages are remembered: what is older is no longer a ghost
	leastGhosts  = 64
	ghostShift   = 20
)

func (g *ghosts) bytes() int { return 2 * len(g.cells) }

// bucket is chosen by bits that do not choose the shard.
func (g *ghosts) bucket(h uint64) []uint16 {
	b := int(uint64(uint32(h>>ghostShift)) * uint64(len(g.cells)/ghostBucket) >> 32)
	return g.cells[b*ghostBucket : (b+1)*ghostBucket]
}

func ghostTag(h uint64) uint16 { return uint16(h&0x3ff | 1) }

// stepsOld is how many ages ago a cell was written.
func (g *ghosts) stepsOld(cell uint16) int {
	return int(g.age-cell&(ghostAges-1)) & (ghostAges - 1)
}

// add remembers a key of a shard with so many entries.
func (g *ghosts) add(h uint64, entries int) {
	if entries > 2*g.lifetime || entries < g.lifetime/4 && g.lifetime > leastGhosts {
		*g = ghosts{lifetime: max(entries, leastGhosts)}
		g.cells = make([]uint16, (g.lifetime/ghostBucket+1)*ghostBucket)
	}
	if g.added++; g.added > g.lifetime/ghostSteps {
		g.added = 0
		g.grow()
	}
	bucket := g.bucket(h)
	at := 0
	for i, c := range bucket {
		if c == 0 {
			at = i
			break
		}
		if g.stepsOld(c) > g.stepsOld(bucket[at]) {
			at = i
		}
	}
	bucket[at] = ghostTag(h)<<ghostAgeBits | g.age
}

// grow raises the age, and forgets the old ones in a part of the cells, so that none grows so old that it seems young.
func (g *ghosts) grow() {
	g.age = (g.age + 1) % ghostAges
	part := (len(g.cells) + ghostSteps/2 - 1) / (ghostSteps / 2)
	from := min(int(g.age)%(ghostSteps/2)*part, len(g.cells))
	old := g.cells[from:min(from+part, len(g.cells))]
	for i, c := range old {
		if g.stepsOld(c) > ghostSteps {
			old[i] = 0
		}
	}
}

// has says whether a key was remembered.
func (g *ghosts) has(h uint64) bool {
	if len(g.cells) == 0 {
		return false
	}
	for _, c := range g.bucket(h) {
		if c>>ghostAgeBits == ghostTag(h) && g.stepsOld(c) <= ghostSteps {
			return true
		}
	}
	return false
}
