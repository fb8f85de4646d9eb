package instance

import (
	"bytes"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// mostDisks is how many disks are counted one by one, for the busiest; those beyond it are in the sums only.
const mostDisks = 32

// diskCounts is what the disks of the machine have done since the boot.
type diskCounts struct {
	done   float64 // reads and writes that ended
	took   float64 // seconds that these took, waiting included
	bytes  float64
	active [mostDisks]float64 // seconds in which a disk had something to do, by its place in the list of names
}

// apply sets the signals of the disks. What the kernel counts only grows; where it does not, a disk was taken away.
func (d *diskCounts) apply(was *diskCounts, dt float64, s *vitals.Sample, absent *reasons) {
	busiest := 0.0
	for i := range d.active {
		busiest = max(busiest, d.active[i]-was.active[i])
	}
	s.Set(vitals.DiskBusy, min(busiest/dt, 1))
	s.Set(vitals.DiskRate, max(d.bytes-was.bytes, 0)/dt)
	if done := d.done - was.done; done > 0 {
		s.Set(vitals.DiskAwait, max(d.took-was.took, 0)/done)
	} else {
		absent.set(errNoIO.Error(), vitals.DiskAwait)
	}
}

// sector is the unit of /proc/diskstats, whatever the disk's own is (Documentation/admin-guide/iostats.rst).
const sector = 512

// parseDisks adds up the lines of disks in /proc/diskstats: "254 0 vda 157385 32655 4544562 29614 13672 181128 …".
func parseDisks(data []byte, disks map[string]int) (d diskCounts) {
	const ms = float64(time.Millisecond) / float64(time.Second)
	for len(data) > 0 {
		line, rest, whole := bytes.Cut(data, newline)
		if data = rest; !whole {
			break // cut: the file is longer than what is read of it
		}
		_, line = word(line)
		_, line = word(line)
		name, line := word(line)
		place, ok := disks[string(name)]
		if !ok {
			continue
		}
		for n := 1; n <= 10; n++ { // numbered as in iostats.rst
			var w []byte
			w, line = word(line)
			switch v := float64(unsigned(w)); n {
			case 1, 5:
				d.done += v
			case 3, 7:
				d.bytes += v * sector
			case 4, 8:
				d.took += v * ms
			case 10:
				if place < mostDisks {
					d.active[place] = v * ms
				}
			}
		}
	}
	return d
}
