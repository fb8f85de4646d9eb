package kube

import "net/netip"

// A Pod is what is read of a pod of the core/v1 API; the rest is not decoded.
type Pod struct {
	Metadata Metadata `json:"metadata"`
	Spec     struct {
		NodeName       string      `json:"nodeName"`
		Containers     []container `json:"containers"`
		InitContainers []container `json:"initContainers"`
	} `json:"spec"`
	Status struct {
		Phase                 string            `json:"phase"`
		PodIP                 string            `json:"podIP"`
		Conditions            []condition       `json:"conditions"`
		ContainerStatuses     []containerStatus `json:"containerStatuses"`
		InitContainerStatuses []containerStatus `json:"initContainerStatuses"`
	} `json:"status"`
}

// Metadata is what is read of an object's.
type Metadata struct {
	Name              string            `json:"name"`
	Namespace         string            `json:"namespace"`
	UID               string            `json:"uid"`
	ResourceVersion   string            `json:"resourceVersion"`
	DeletionTimestamp string            `json:"deletionTimestamp"` // of a pod that is being ended
	Labels            map[string]string `json:"labels"`
	Annotations       map[string]string `json:"annotations"`
	OwnerReferences   []owner           `json:"ownerReferences"`
}

type owner struct {
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Controller bool   `json:"controller"`
}

type container struct {
	Name          string          `json:"name"`
	RestartPolicy string          `json:"restartPolicy"` // "Always" of an init container that stays: a sidecar
	Ports         []containerPort `json:"ports"`
}

type containerPort struct {
	Name          string `json:"name"`
	ContainerPort int    `json:"containerPort"`
	Protocol      string `json:"protocol"` // "" is TCP
}

func (p containerPort) isTCP() bool { return p.Protocol == "" || p.Protocol == "TCP" }

type condition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
}

type containerStatus struct {
	Name  string `json:"name"`
	State struct {
		Running *struct{} `json:"running"`
	} `json:"state"`
}

// lives reports whether a pod has an address of its own that it will keep for a while.
func (p *Pod) lives() bool {
	return p.Status.Phase == "Running" && isIP(p.Status.PodIP) && p.Metadata.DeletionTimestamp == ""
}

// isIP reports whether a text is an address and nothing else: what is asked is an URL with it.
func isIP(text string) bool {
	ip, err := netip.ParseAddr(text)
	return err == nil && ip.Zone() == ""
}

// Ready reports whether a pod answers, as its probes see it.
func (p *Pod) Ready() bool {
	for _, c := range p.Status.Conditions {
		if c.Type == "Ready" {
			return c.Status == "True" && p.lives()
		}
	}
	return false
}

// running are the containers that run now, in the order of the spec: those of the pod, then sidecars among the init
// containers. Other init containers have ended before.
func (p *Pod) running() (list []container) {
	runs := make(map[string]bool)
	for _, s := range append(p.Status.ContainerStatuses, p.Status.InitContainerStatuses...) {
		runs[s.Name] = s.State.Running != nil // names are unique in a pod, init containers included
	}
	for _, c := range p.Spec.Containers {
		if runs[c.Name] {
			list = append(list, c)
		}
	}
	for _, c := range p.Spec.InitContainers {
		if c.RestartPolicy == "Always" && runs[c.Name] {
			list = append(list, c)
		}
	}
	return list
}

// declares reports whether any container of the pod declares a port, running or not.
func (p *Pod) declares(port int) bool {
	for _, c := range append(p.Spec.Containers, p.Spec.InitContainers...) {
		if c.declares(port) {
			return true
		}
	}
	return false
}

func (c container) declares(port int) bool {
	for _, q := range c.Ports {
		if q.ContainerPort == port && q.isTCP() {
			return true
		}
	}
	return false
}
