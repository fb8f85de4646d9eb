package rule_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/gocasebook/casebook/internal/race"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A healthy service is one of other people's: what it is asked to do at each second of the day, and how its runtime is
// set.
type healthyService struct {
	name string
	make func() simulation
	at   func(i int, age float64, v *simulation) demand // age is seconds since its process began
	// The hour at which the short test begins. The services that show the most come next.
	from int
	// deploy is how often a new process takes over, in seconds; 0: never.
	deploy int
}

// daily is the load over the day, from a tenth to all of it: low at four in the morning, with a steep rise from seven
// to ten.
func daily(i int) float64 {
	h := math.Mod(float64(i)/hour, 24)
	up := 1 / (1 + math.Exp(-(h-8.5)/0.6))
	down := 1 / (1 + math.Exp(-(h-20.5)/1.0))
	return 0.1 + 0.9*(up-down)
}

// fill is a cache that misses fill: fast at first, and never quite full. scale is in seconds.
func fill(age, scale float64) float64 { return 1 - math.Exp(-age/scale) }

// ramp is 0 before start, 1 once its length has passed, and a line between.
func ramp(age, from, long float64) float64 { return math.Min(math.Max((age-from)/long, 0), 1) }

const gb, mb = 1 << 30, 1 << 20

func process(cores, gogc float64, change func(*simulation)) func() simulation {
	return func() simulation {
		v := simulation{cores: cores, gogc: gogc, each: 40e3, cpu: 0.002, byConn: 1}
		if change != nil {
			change(&v)
		}
		return v
	}
}

func healthyServices() []healthyService {
	return []healthyService{
		{"shop, a day's load, four deploys, cache of misses",
			process(4, 100, func(v *simulation) { v.cgroup = 4 * gb }),
			func(i int, age float64, v *simulation) demand {
				r := 1200 * daily(i)
				return demand{rate: r, conns: 30 + r/2, latency: 0.02, goroutines: 20,
					kept: 60*mb + 800*mb*fill(age, 400), files: 10}
			}, 6, 6 * hour},
		{"prices, a cache of misses in a process that has little else, four deploys", process(4, 100, nil),
			func(i int, age float64, v *simulation) demand {
				r := 1200 * daily(i)
				return demand{rate: r, conns: 30 + r/2, latency: 0.02, goroutines: 20,
					kept: 10*mb + 600*mb*fill(age, 400), files: 10}
			}, 6, 6 * hour},
		{"catalogue, loads 700 MB in a line of 20 minutes, GOGC=50",
			process(2, 50, func(v *simulation) { v.cgroup = 3 * gb }),
			func(i int, age float64, v *simulation) demand {
				return demand{rate: 200 * daily(i), conns: 40, latency: 0.01, goroutines: 30,
					kept: 300*mb + 700*mb*ramp(age, 0, 1200), work: 5e6}
			}, 0, 8 * hour},
		{"chat, websockets build up through the morning",
			process(4, 100, func(v *simulation) { v.byConn = 2; v.each = 3e3; v.cpu = 0.0001 }),
			func(i int, age float64, v *simulation) demand {
				conns := 22_000 * (daily(i) - 0.09) * ramp(age, 0, 300)
				return demand{rate: 20 + conns/10, conns: conns, latency: 0.002, goroutines: 15, kept: conns * 12e3}
			}, 6, 0},
		{"report, 2 GB for an hour at night", process(4, 100, nil),
			func(i int, age float64, v *simulation) demand {
				batch := ramp(float64(i%(24*hour)), 3*hour, 200) - ramp(float64(i%(24*hour)), 4*hour, 20)
				return demand{rate: 30, conns: 12, latency: 0.05, goroutines: 12 + 16*math.Ceil(batch),
					kept: 80*mb + 1900*mb*batch, work: 80e6 * math.Ceil(batch)}
			}, 2, 0},
		{"cron, a spike every ten minutes and a job every hour", process(2, 100, nil),
			func(i int, age float64, v *simulation) demand {
				d := demand{rate: 80 * daily(i), conns: 60, latency: 0.02, goroutines: 40, kept: 90 * mb}
				if i%600 < 20 {
					d.work, d.goroutines, d.files = 60e6, 400, 50
				}
				if m := i % hour; m < 180 {
					d.kept, d.work, d.goroutines = d.kept+300*mb*ramp(float64(m), 0, 60), 100e6, 540
				}
				return d
			}, 7, 0},
		{"idle, a health check now and then", process(1, 100, nil),
			func(i int, age float64, v *simulation) demand {
				return demand{rate: 0.2, conns: 2, latency: 0.001, goroutines: 8, kept: 3 * mb}
			}, 0, 0},
		{"api, GOGC=400, an upstream deploy triples its load", process(4, 400, nil),
			func(i int, age float64, v *simulation) demand {
				r := 300.0
				if i%(5*hour) > 3*hour {
					r = 900
				}
				return demand{rate: r, conns: 50 + r/3, latency: 0.04, goroutines: 25, kept: 150 * mb}
			}, 1, 0},
		{"index, GOGC=off below GOMEMLIMIT", process(4, 0,
			func(v *simulation) { v.limit = 2 * gb; v.cgroup = 2.5 * gb }),
			func(i int, age float64, v *simulation) demand {
				return demand{rate: 600 * daily(i), conns: 100, latency: 0.01, goroutines: 50,
					kept: 500*mb + 300*mb*fill(age, 300)}
			}, 6, 9 * hour},
		{"gateway, 3,000 clients within three minutes of its start", process(4, 100, nil),
			func(i int, age float64, v *simulation) demand {
				conns := 3000 * ramp(age, 5, 180)
				return demand{rate: conns / 3, conns: conns, latency: 0.03, kept: 10*mb + conns*20e3}
			}, 0, 4 * hour},
		{"gateway that loses its clients, who come back within two minutes", process(4, 100, nil),
			func(i int, age float64, v *simulation) demand {
				conns := 4000 * ramp(float64(i%(3*hour)), 30, 120)
				return demand{rate: conns / 4, conns: conns, latency: 0.03, goroutines: 10, kept: 20*mb + conns*20e3}
			}, 0, 0},
		{"orders, gRPC streams and a pool that grows with load",
			process(8, 100, func(v *simulation) { v.byConn, v.cpu = 3, 0.0009 }),
			func(i int, age float64, v *simulation) demand {
				r := 4000 * daily(i)
				return demand{rate: r, conns: 24, latency: 0.15, goroutines: 60 + math.Floor(r/50), kept: 120 * mb,
					files: math.Floor(r / 50)}
			}, 6, 12 * hour},
		{"worker, jobs of one to twenty minutes that hold up to 500 MB",
			process(4, 100, func(v *simulation) { v.cgroup = 4 * gb }), worker, 0, 0},
		{"prices for clients that poll at each full minute, all at once", process(2, 100, nil),
			func(i int, age float64, v *simulation) demand {
				r := 150.0
				if i%60 < 4 {
					r = 1100
				}
				return demand{rate: r, conns: 400, latency: 0.008, goroutines: 20, kept: 60 * mb}
			}, 3, 0},
		{"sessions, 30 minutes each, follow the day", process(4, 200, nil),
			func(i int, age float64, v *simulation) demand {
				r := 500 * daily(i-900) // those of the last half hour
				return demand{rate: 500 * daily(i), conns: 200 * daily(i), latency: 0.02, goroutines: 20,
					kept: 80*mb + r*900e3}
			}, 6, 0},
	}
}

// worker holds jobs of random size and length: three at a time, each started when the one before it ends.
func worker(i int, age float64, v *simulation) demand {
	d := demand{rate: 1, conns: 4, latency: 0.1, goroutines: 20, kept: 40 * mb, work: 30e6}
	for lane := range uint64(3) {
		for at, n := 0, uint64(0); ; n++ {
			r := rand.New(rand.NewPCG(lane, n))
			long, size := 60+int(r.Float64()*1140), 500*mb*math.Pow(r.Float64(), 2)
			if at+long > i%(4*hour) {
				d.kept += size * ramp(float64(i%(4*hour)-at), 0, float64(long)*0.2)
				break
			}
			at += long
		}
	}
	return d
}

// An ailment is what is added to a demand, by the seconds since the ailment began.
type ailment func(since float64, d *demand)

// live runs the default rules over seconds of a service, from a second of the day. It takes one sample a second through
// the engine and the history of a watch, and returns what fired, in order. Of every second seed nobody counts requests.
func (h *healthyService) live(t testing.TB, seed uint64, from, seconds int, ill ailment, since int) []rule.Firing {
	t.Helper()
	e, err := rule.NewEngine(rule.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	history := vitals.NewHistory(601)
	v := h.make()
	v.random, v.uncounted = rand.New(rand.NewPCG(seed, 7)), seed%2 == 0
	born := from
	var fired []rule.Firing
	for i := from; i < from+seconds; i++ {
		restart := h.deploy > 0 && i > from && i%h.deploy == 0
		if restart {
			born = i
			e.Reset()
		}
		d := h.at(i, float64(i-born), &v)
		d.restart = restart
		if ill != nil && i-from >= since {
			ill(float64(i-from-since), &d)
		}
		s := v.sample(i, d)
		fired = append(fired, e.Step(&s, history)...)
		history.Add(s)
	}
	return fired
}

// simSeeds is how many days of each service are played: CASEBOOK_BENCH_RULES of them with make bench-rules, otherwise
// the hour and a half that holds the most.
func simSeeds(t *testing.T) (seeds, seconds int) {
	t.Helper()
	days, err := strconv.Atoi(os.Getenv("CASEBOOK_BENCH_RULES"))
	if err != nil || days < 1 {
		return 1, 3 * hour / 2
	}
	return days, 24 * hour
}

func TestDefaultIsSilentForADay(t *testing.T) {
	race.Skip(t)
	seeds, seconds := simSeeds(t)
	for _, h := range healthyServices() {
		for seed := range seeds {
			t.Run(fmt.Sprintf("%s/%d", h.name, seed), func(t *testing.T) {
				t.Parallel()
				from := h.from * hour
				if seconds == 24*hour {
					from = 0
				}
				fired := h.live(t, uint64(seed)+1, from, seconds, nil, 0)
				for _, f := range fired {
					t.Errorf("%s at %s: %s", f.Rule.Name, f.Time.Sub(start), f.Text)
				}
				t.Logf("%d h, %d rules, %d false alarms", seconds/hour, len(rule.Default()), len(fired))
			})
		}
	}
}
