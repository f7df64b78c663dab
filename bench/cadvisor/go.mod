module github.com/oomdoc/oomdoc/bench/cadvisor

go 1.26.0

require (
	github.com/euank/go-kmsg-parser v2.0.0+incompatible
	github.com/google/cadvisor v0.60.5
	k8s.io/klog/v2 v2.130.1
)

require github.com/go-logr/logr v1.4.3 // indirect
