package kube

import (
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/internal/plain"
)

// An Endpoint is a container that serves profiles, or may.
type Endpoint struct {
	Namespace, Pod, UID, Container, Node string
	// Service is what cases call it: the name that the annotations give, or the workload's.
	Service string
	// URL is the index of net/http/pprof at the pod's address.
	URL string
	// Asked says that no annotation says so: the container has to be asked whether profiles are there.
	Asked bool
	// Metrics is the address of the page that prometheus.io/* names; "" for none.
	Metrics string
	// Rules and Budget are the values of Casebook's own annotations.
	Rules, Budget string
}

// Key names the container for its whole life: that of the pod.
func (e *Endpoint) Key() string { return e.UID + "/" + e.Container }

// Workload is the service with its namespace: others may have a service of that name.
func (e *Endpoint) Workload() string { return e.Namespace + "/" + e.Service }

// Endpoints are the containers of a pod that serve profiles, and those that may (Asked), one each at most; none of a
// pod that does not run or does not want it. problems are faults of the annotations, for whoever operates the watch.
func (p *Pod) Endpoints() (list []Endpoint, problems []string) {
	annotations := p.Metadata.Annotations
	if !p.lives() || annotations[RulesAnnotation] == "off" {
		return nil, nil
	}
	if !p.isNamed() {
		return nil, []string{"the pod or one of its containers has a name that Kubernetes does not allow"}
	}
	places, problems := profilePlaces(annotations)
	metrics, measured, err := metricsPlace(annotations)
	if err != nil {
		problems = append(problems, err.Error())
	}
	b := binding{pod: p, running: p.running()}
	for _, at := range places {
		if why := b.add(at, at.port == 0 && at.portName == ""); why != "" {
			problems = append(problems, why)
		}
	}
	if measured && len(places) == 0 { // Go programs often serve profiles beside their metrics
		at := metrics
		at.page = stdIndex
		b.add(at, true)
	}
	return b.endpoints(metrics, measured), problems
}

// isNamed reports whether an API server could have let the names pass: they become names of services, of files and of
// metrics.
func (p *Pod) isNamed() bool {
	for _, c := range append(p.Spec.Containers, p.Spec.InitContainers...) {
		if !isName(c.Name) {
			return false
		}
	}
	return isName(p.Metadata.Name) && isName(p.Metadata.Namespace)
}

// A bound place is one at a container's port.
type bound struct {
	container string
	port      int
	scheme    string
	page      string
	asked     bool
}

// A binding finds the containers of places.
type binding struct {
	pod     *Pod
	running []container
	found   []bound
}

// add binds a place to the containers that it means. asked says that profiles may not be there.
func (b *binding) add(at place, asked bool) (problem string) {
	before := len(b.found)
	put := func(c container, port int) {
		b.found = append(b.found, bound{c.Name, port, at.scheme, at.page, asked})
	}
	if at.port != 0 {
		if c, ok := b.ownerOf(at.port); ok {
			put(c, at.port)
		}
		return ""
	}
	for _, c := range b.running {
		for _, q := range c.Ports {
			if q.isTCP() && (at.portName == "" || q.Name == at.portName) {
				put(c, q.ContainerPort)
			}
		}
	}
	if len(b.found) == before && at.portName != "" {
		return "no running container has a TCP port of the name " + strconv.Quote(at.portName)
	}
	return ""
}

// ownerOf is the running container of a port: the one that declares it, or the pod's main one where none does, because
// declaring a port is optional. Of a port that a container declares which does not run there is none: what listens
// there now is something else.
func (b *binding) ownerOf(port int) (container, bool) {
	for _, c := range b.running {
		if c.declares(port) {
			return c, true
		}
	}
	if len(b.running) == 0 || b.pod.declares(port) {
		return container{}, false
	}
	main := b.pod.main()
	for _, c := range b.running {
		if c.Name == main {
			return c, true
		}
	}
	return container{}, false
}

// main is the pod's main container.
func (p *Pod) main() string {
	if name := p.Metadata.Annotations[defaultContainer]; name != "" {
		return name
	}
	if len(p.Spec.Containers) > 0 {
		return p.Spec.Containers[0].Name
	}
	return ""
}

// endpoints chooses one place for each container: the one that most annotations name, the first of these. Of a
// container with several that have to be asked, each is listed: who asks takes the first that answers.
func (b *binding) endpoints(metrics place, measured bool) (list []Endpoint) {
	for _, c := range b.running {
		votes := make(map[bound]int)
		var order []bound
		for _, f := range b.found {
			if f.container == c.Name {
				if votes[f]++; votes[f] == 1 {
					order = append(order, f)
				}
			}
		}
		slices.SortStableFunc(order, func(x, y bound) int { return votes[y] - votes[x] })
		for i, f := range order {
			if i > 0 && (!order[0].asked || !f.asked) {
				break
			}
			e := b.pod.endpoint(f)
			if measured {
				e.Metrics = b.metricsOf(c, metrics)
			}
			list = append(list, e)
		}
	}
	return list
}

// metricsOf is the page of a container's metrics; "" if the annotations name another container's.
func (b *binding) metricsOf(c container, at place) string {
	if at.port == 0 {
		return ""
	}
	if owner, ok := b.ownerOf(at.port); !ok || owner.Name != c.Name {
		return ""
	}
	return at.scheme + "://" + net.JoinHostPort(b.pod.Status.PodIP, strconv.Itoa(at.port)) + at.page
}

func (p *Pod) endpoint(f bound) Endpoint {
	m := &p.Metadata
	e := Endpoint{Namespace: m.Namespace, Pod: m.Name, UID: m.UID, Container: f.container, Node: p.Spec.NodeName,
		Service: plain.Text(p.service()), Asked: f.asked, Rules: m.Annotations[RulesAnnotation],
		Budget: m.Annotations[BudgetAnnotation]}
	if f.container != p.main() {
		e.Service += "-" + f.container
	}
	e.URL = f.scheme + "://" + net.JoinHostPort(p.Status.PodIP, strconv.Itoa(f.port)) + f.page
	return e
}

// service is the name of what the pod is one of: that for Pyroscope, or the workload that a person deployed. A
// ReplicaSet is a Deployment's with a hash behind its name, a CronJob's Job has minutes there.
func (p *Pod) service() string {
	m := &p.Metadata
	if name := m.Annotations[grafanaService]; name != "" {
		return name
	}
	for _, o := range m.OwnerReferences {
		switch {
		case !o.Controller || o.Kind == "Node": // a static pod's
		case o.Kind == "ReplicaSet":
			return strings.TrimSuffix(o.Name, "-"+m.Labels["pod-template-hash"])
		case o.Kind == "Job":
			return withoutMinutes(o.Name)
		default:
			return o.Name
		}
	}
	for _, label := range []string{"app.kubernetes.io/name", "k8s-app", "app", "component"} {
		if name := m.Labels[label]; name != "" {
			return name
		}
	}
	return m.Name
}

// withoutMinutes cuts the time, in minutes since 1970, behind the name of a CronJob's Job.
func withoutMinutes(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i < 1 || len(name)-i-1 < 8 || strings.Trim(name[i+1:], "0123456789") != "" {
		return name
	}
	return name[:i]
}
