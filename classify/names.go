package classify

import (
	"cmp"
	"strings"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

// OwnerOf says who a cgroup path belongs to, by the name that its runtime gave
// it where the facts have that: a container or a pod is known to people by its
// name, the path has its id. The ids stay.
func OwnerOf(path string, facts oomdoc.Facts) oomdoc.Owner {
	owner := proc.OwnerOf(path)
	known := containerFacts(&owner, facts)
	pod := joined(known.Namespace, known.PodName)
	switch owner.Kind {
	case oomdoc.OwnerContainer:
		if known.Name != "" {
			owner.Name = joined(pod, known.Name)
		}
	case oomdoc.OwnerPod:
		owner.Name = cmp.Or(pod, owner.Name)
	}
	return owner
}

// containerFacts unites what is known of a container and of its pod.
func containerFacts(owner *oomdoc.Owner, facts oomdoc.Facts) oomdoc.ContainerFacts {
	known, pod := facts.Containers[owner.Container], facts.Containers[owner.Pod]
	known.PodName = cmp.Or(known.PodName, pod.PodName)
	known.Namespace = cmp.Or(known.Namespace, pod.Namespace)
	return known
}

// joined writes the parts that are known as a path: "shop/web-0/app".
func joined(parts ...string) string {
	known := make([]string, 0, len(parts))
	for _, part := range parts {
		if part != "" {
			known = append(known, part)
		}
	}
	return strings.Join(known, "/")
}

// nameContainer gives a process the names of its container and pod.
func nameContainer(p *oomdoc.Process, path string, facts oomdoc.Facts) {
	owner := proc.OwnerOf(path)
	known := containerFacts(&owner, facts)
	p.ContainerName, p.Image = known.Name, known.Image
	p.PodName, p.Namespace = known.PodName, known.Namespace
}
