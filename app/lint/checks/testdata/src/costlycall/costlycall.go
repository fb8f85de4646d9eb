package costlycall

import (
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/jinzhu/copier"
	"github.com/spf13/viper"
)

func base(r *http.Request) string {
	return viper.GetString("url") + r.URL.Path // want `a setting is looked up by its name`
}

type server struct {
	v        *viper.Viper
	host     string
	programs sync.Map
	rule     *expr.Program
}

func (s *server) isOpen() bool { return s.v.GetBool("open") } // want `read it once, when the settings are loaded`

func (s *server) tag(labels map[string]string) {
	labels["host"], _ = os.Hostname() // want `ask once, and keep the answer`
}

func token(r *http.Request) bool {
	return r.Header.Get("Token") == os.Getenv("TOKEN") // want `the environment is asked at each pass`
}

func isOwn(ip net.IP) bool {
	all, err := net.InterfaceAddrs() // want `this asks the system at each pass`
	if err != nil {
		return false
	}
	for _, a := range all {
		if a.String() == ip.String() {
			return true
		}
	}
	return false
}

func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m) // want `this stops the world`
	return m.Alloc
}

type user struct{ Name string }

func public(u *user) (out user, err error) {
	return out, copier.Copy(&out, u) // want `this copies by reflection`
}

func holds(rule string, env map[string]any) (bool, error) {
	p, err := expr.Compile(rule) // want `this is compiled at each pass, for one use`
	if err != nil {
		return false, err
	}
	v, err := expr.Run(p, env)
	ok, _ := v.(bool)
	return ok, err
}

// What follows is fine.

var hostname, _ = os.Hostname()

func newServer() (*server, error) { return configured(viper.New()) }

func configured(v *viper.Viper) (*server, error) {
	v.SetDefault("open", true)
	s := &server{v: v, host: hostname}
	return s, nil
}

func init() {
	_ = viper.GetString("url")
	_ = os.Getenv("TOKEN")
}

func compiled(rule string) (*expr.Program, error) { return expr.Compile(rule) }

func parsed(rule string) (*expr.Program, error) {
	p, err := expr.Compile(rule)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (s *server) program(rule string) *expr.Program {
	if p, ok := s.programs.Load(rule); ok {
		return p.(*expr.Program)
	}
	p, err := expr.Compile(rule)
	if err != nil {
		return nil
	}
	s.programs.Store(rule, p)
	return p
}

func (s *server) load(rule string) (err error) {
	p, err := expr.Compile(rule)
	s.rule = p
	return err
}

func fail(r *http.Request) {
	panic(os.Getenv("TOKEN"))
}
