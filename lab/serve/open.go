package serve

import (
	"context"
	"net/http"
)

// Open opens the listeners of the API, which h answers, and of the profiles. Nothing is served yet.
func (c Flags) Open(ctx context.Context, h http.Handler) ([]*Service, Addresses, error) {
	api, err := Listen(ctx, "the API", "listen", c.Listen, API(h))
	if err != nil {
		return nil, Addresses{}, err
	}
	if c.Pprof == "" {
		return []*Service{api}, Addresses{Listen: api.Address()}, nil
	}
	prof, err := Listen(ctx, "pprof", "pprof", c.Pprof, pprofServer())
	if err != nil {
		CloseAll([]*Service{api})
		return nil, Addresses{}, err
	}
	prof.cut = true // a profile can be taken until the last request is answered; nobody waits for one
	return []*Service{api, prof}, Addresses{api.Address(), prof.Address()}, nil
}
