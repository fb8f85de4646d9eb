package heavy

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
)

// crane is the registry of images that go-containerregistry serves from memory: builders push, machines pull.
func crane() Service {
	return Service{
		Name: "crane", Module: "github.com/google/go-containerregistry", Version: "v0.22.1", Main: "cmd/crane", Unseen: true,
		Args:  []string{"registry", "serve", "--address", "127.0.0.1:{port}"},
		Ready: "/v2/",
		Load:  loadCrane,
	}
}

const craneImages, craneTags = 12, 5

// cranePush are the requests that push an image: blobs that are there, blobs that are not, the manifest and its tag.
func cranePush(r *rand.Rand, image string) (out []request, manifest string) {
	digest := func(data string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(data))) }
	layer := func(data, typ string) map[string]any {
		out = append(out, request{method: http.MethodHead, path: "/v2/" + image + "/blobs/" + digest(data)},
			request{method: http.MethodPost, path: "/v2/" + image + "/blobs/uploads/?digest=" + digest(data), body: data,
				header: map[string]string{"Content-Type": "application/octet-stream"}})
		return map[string]any{"mediaType": typ, "size": len(data), "digest": digest(data)}
	}
	layers := []any{}
	for range 1 + r.IntN(4) {
		shared := rand.New(rand.NewPCG(r.Uint64N(30), 5)) // layers that images have in common
		layers = append(layers, layer(strings.Repeat(text(shared, 200), 1+shared.IntN(20)),
			"application/vnd.docker.image.rootfs.diff.tar.gzip"))
	}
	config := layer(fmt.Sprintf(`{"architecture":"amd64","os":"linux","built":%d}`, r.IntN(40)),
		"application/vnd.docker.container.image.v1+json")
	body, _ := json.Marshal(map[string]any{"schemaVersion": 2, "config": config, "layers": layers, // texts and numbers
		"mediaType": "application/vnd.docker.distribution.manifest.v2+json"})
	out = append(out, request{method: http.MethodPut, body: string(body),
		path: fmt.Sprintf("/v2/%s/manifests/v%d", image, r.IntN(craneTags)), header: map[string]string{
			"Content-Type": "application/vnd.docker.distribution.manifest.v2+json"}})
	return out, string(body)
}

func loadCrane(ctx context.Context, on Target) error {
	base := "http://" + on.Addr
	client := &http.Client{Transport: &http.Transport{}}
	r := rand.New(rand.NewPCG(2, 79))
	for i := range craneImages * craneTags {
		pushed, manifest := cranePush(r, fmt.Sprintf("team/app-%d", i%craneImages))
		pushed[len(pushed)-1].path = fmt.Sprintf("/v2/team/app-%d/manifests/v%d", i%craneImages, i/craneImages)
		for _, q := range pushed {
			if status, body, err := send(ctx, client, base, q); err != nil || status >= 400 && q.method != http.MethodHead {
				return fmt.Errorf("pushing %s: %d %s %w", manifest, status, body, err)
			}
		}
	}
	push := func(ctx context.Context, i int) error {
		r, client := rand.New(rand.NewPCG(uint64(i), 83)), &http.Client{Transport: &http.Transport{}}
		for ctx.Err() == nil {
			pushed, _ := cranePush(r, fmt.Sprintf("team/app-%d", r.IntN(craneImages)))
			for _, q := range pushed {
				status, _, err := send(ctx, client, base, q)
				if ctx.Err() == nil {
					on.Seen.Is(err == nil && (status < 400 || q.method == http.MethodHead))
				}
			}
		}
		return nil
	}
	return together(ctx, append(times(2, push), times(6, func(ctx context.Context, i int) error { return cranePull(ctx, on, i) })...)...)
}

// cranePull asks for manifests as machines do that look for what is new, and for the blobs of some.
func cranePull(ctx context.Context, on Target, i int) error {
	r, client := rand.New(rand.NewPCG(uint64(i), 89)), &http.Client{Transport: &http.Transport{}}
	ask := func(q request) []byte {
		status, body, err := send(ctx, client, "http://"+on.Addr, q)
		if ctx.Err() == nil {
			on.Seen.Is(err == nil && status < 400)
		}
		return body
	}
	for ctx.Err() == nil {
		image := fmt.Sprintf("team/app-%d", r.IntN(craneImages))
		tag := "/v2/" + image + fmt.Sprintf("/manifests/v%d", r.IntN(craneTags))
		switch r.IntN(10) {
		case 0:
			ask(get("/v2/_catalog?n=100"))
		case 1:
			ask(get("/v2/" + image + "/tags/list"))
		case 2, 3, 4:
			var m struct {
				Layers []struct{ Digest string }
			}
			if json.Unmarshal(ask(get(tag)), &m) != nil {
				continue
			}
			for _, l := range m.Layers {
				ask(get("/v2/" + image + "/blobs/" + l.Digest))
			}
		default:
			ask(request{method: http.MethodHead, path: tag})
		}
	}
	return nil
}
