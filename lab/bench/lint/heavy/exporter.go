package heavy

import (
	"context"
	"math/rand/v2"
)

// nodeExporter is asked for all that it knows of this machine, and for parts of it, as several Prometheus servers do.
func nodeExporter() Service {
	return Service{
		Name: "node_exporter", Module: "github.com/prometheus/node_exporter", Version: "v1.12.1", Main: ".",
		Args: []string{"--web.listen-address=127.0.0.1:{port}", "--web.max-requests=0", "--log.level=error",
			"--collector.processes", "--collector.interrupts", "--collector.softirqs", "--collector.buddyinfo",
			"--collector.tcpstat", "--collector.mountstats", "--collector.cgroups", "--collector.zoneinfo",
			"--collector.slabinfo", "--collector.meminfo_numa", "--collector.network_route", "--collector.ethtool",
			"--collector.qdisc", "--collector.sysctl", "--collector.sysctl.include=vm.max_map_count",
			"--collector.textfile.directory={dir}"},
		Config: map[string]string{"batch.prom": "# HELP batch_last_run_seconds When the batch ended.\n" +
			"# TYPE batch_last_run_seconds gauge\nbatch_last_run_seconds{job=\"backup\"} 1.7e9\n" +
			"batch_last_run_seconds{job=\"billing\"} 1.7e9\n"},
		Ready: "/metrics",
		Load: func(ctx context.Context, on Target) error {
			pages := []string{"/metrics", "/metrics", "/metrics?collect[]=cpu&collect[]=meminfo&collect[]=loadavg",
				"/metrics?collect[]=filesystem&collect[]=diskstats&collect[]=textfile", "/metrics?collect[]=netdev&" +
					"collect[]=netstat&collect[]=sockstat&collect[]=netclass", "/metrics?exclude[]=processes", "/"}
			return together(ctx, times(4, browser(on, "http://"+on.Addr, func(r *rand.Rand) request {
				return get(pick(r, pages))
			}))...)
		},
	}
}
