package classify

import "github.com/oomdoc/oomdoc"

const (
	keyKindUnit      oomdoc.Key = "word.kind-unit"
	keyKindUserUnit  oomdoc.Key = "word.kind-user-unit"
	keyKindSession   oomdoc.Key = "word.kind-session"
	keyKindApp       oomdoc.Key = "word.kind-app"
	keyKindContainer oomdoc.Key = "word.kind-container"
	keyKindPod       oomdoc.Key = "word.kind-pod"
	keyKindLXC       oomdoc.Key = "word.kind-lxc"
	keyKindVM        oomdoc.Key = "word.kind-vm"
	keyKindSlurm     oomdoc.Key = "word.kind-slurm-job"
	keyKindSlice     oomdoc.Key = "word.kind-slice"
	keyKindCgroup    oomdoc.Key = "word.kind-cgroup"
	keyUnnamed       oomdoc.Key = "word.unnamed-cgroup"
)

// kindWords are the words for the kinds of owners that have one.
var kindWords = map[oomdoc.OwnerKind]oomdoc.Key{
	oomdoc.OwnerUnit:      keyKindUnit,
	oomdoc.OwnerUserUnit:  keyKindUserUnit,
	oomdoc.OwnerSession:   keyKindSession,
	oomdoc.OwnerApp:       keyKindApp,
	oomdoc.OwnerContainer: keyKindContainer,
	oomdoc.OwnerPod:       keyKindPod,
	oomdoc.OwnerLXC:       keyKindLXC,
	oomdoc.OwnerVM:        keyKindVM,
	oomdoc.OwnerSlurm:     keyKindSlurm,
	oomdoc.OwnerSlice:     keyKindSlice,
}

// KindWord is the word that stands before the name of an owner of that kind in
// a sentence: "container", "Slurm job".
func KindWord(kind oomdoc.OwnerKind) oomdoc.Key {
	if word, has := kindWords[kind]; has {
		return word
	}
	return keyKindCgroup
}
