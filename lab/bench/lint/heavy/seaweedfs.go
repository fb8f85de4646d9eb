package heavy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
)

// seaweedfs keeps files: master, volumes and a filer in one process, over HTTP of the filer.
func seaweedfs() Service {
	return Service{
		Name: "seaweedfs", Module: "github.com/seaweedfs/seaweedfs", Version: "v0.0.0-20261109003541-7506e5f91cd6",
		Main: "weed", Unseen: true,
		Args: []string{"server", "-dir={dir}", "-ip=127.0.0.1", "-filer", "-filer.port={port}", "-master.port={other}",
			"-volume.max=20", "-master.volumeSizeLimitMB=100"},
		Ready: "/",
		Load:  loadSeaweedfs,
	}
}

func loadSeaweedfs(ctx context.Context, on Target) error {
	path := func(r *rand.Rand) string { return fmt.Sprintf("/files/%d/doc-%d.txt", r.IntN(40), r.IntN(100)) }
	base := "http://" + on.Addr
	write := browser(on, base, func(r *rand.Rand) request {
		if r.IntN(12) == 0 {
			return request{method: http.MethodDelete, path: fmt.Sprintf("/files/%d/doc-%d.txt", 100+r.IntN(5), r.IntN(100))}
		}
		size := 1 + r.IntN(4)
		return request{method: http.MethodPut, path: path(r), body: strings.Repeat(text(r, 100), size*size*size)}
	})
	read := browser(on, base, func(r *rand.Rand) request {
		if r.IntN(5) == 0 {
			q := get(fmt.Sprintf("/files/%d/?limit=50", r.IntN(40)))
			q.header = map[string]string{"Accept": "application/json"}
			return q
		}
		return get(path(r))
	})
	return together(ctx, append(times(3, write), times(5, read)...)...)
}
