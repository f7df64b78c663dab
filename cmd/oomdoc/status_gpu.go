package main

import (
	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/lang"
)

const (
	keyStatusGPUOff      oomdoc.Key = "cmd.status.gpu-off"
	keyStatusGPUDisabled oomdoc.Key = "cmd.status.gpu-disabled"
	keyStatusGPUNone     oomdoc.Key = "cmd.status.gpu-none"
	keyStatusGPUWhy      oomdoc.Key = "cmd.status.gpu-why"
	keyStatusGPUAsleep   oomdoc.Key = "cmd.status.gpu-asleep"
	keyStatusGPUReleased oomdoc.Key = "cmd.status.gpu-released"
	keyStatusGPU         oomdoc.Key = "cmd.status.gpu"
	keyStatusGPULacking  oomdoc.Key = "cmd.status.gpu-lacking"
	keyStatusDevice      oomdoc.Key = "cmd.status.device"
	keyStatusDeviceFault oomdoc.Key = "cmd.status.device-fault"
	keyStatusDeviceSleep oomdoc.Key = "cmd.status.device-asleep"
	keyStatusDeviceRAM   oomdoc.Key = "cmd.status.device-unified"
)

// gpuSentence says whether GPUs are sampled, and if not, why.
func gpuSentence(s statusReport) (key oomdoc.Key, args oomdoc.Args, watched bool) {
	if !s.Running {
		return keyStatusGPUOff, nil, false
	}
	g := &s.State.GPU
	switch {
	case !g.Enabled:
		return keyStatusGPUDisabled, nil, false
	case g.Released:
		return keyStatusGPUReleased, nil, false
	case g.Sleeping:
		return keyStatusGPUAsleep, nil, false
	case g.Why != "":
		return keyStatusGPUWhy, oomdoc.Args{"why": oomdoc.Text(g.Why)}, false
	case len(g.Devices) == 0:
		return keyStatusGPUNone, nil, false
	}
	return keyStatusGPU, oomdoc.Args{"devices": oomdoc.Count(len(g.Devices)), "driver": oomdoc.Text(g.Driver)}, true
}

func gpuLine(language *lang.Language, status statusReport) sourceLine {
	key, args, watched := gpuSentence(status)
	line := sourceLine{Name: "GPUs", Watched: watched}
	if !watched {
		line.Why = language.Text(oomdoc.Say(key, args))
	}
	return line
}

// printGPUs says what is sampled of which GPU.
func (a *app) printGPUs(item func(string, oomdoc.Key, oomdoc.Args), language *lang.Language, s statusReport) {
	key, args, _ := gpuSentence(s)
	item("GPUs", key, args)
	if !s.Running {
		return
	}
	for i := range s.State.GPU.Devices {
		d := &s.State.GPU.Devices[i]
		item("", deviceKey(d), oomdoc.Args{
			"index": oomdoc.Count(d.Index), "name": oomdoc.Text(d.Name), "total": oomdoc.Bytes(d.Total),
			"age": oomdoc.Text(language.Age(d.Last, a.now())), "fault": oomdoc.Text(d.Fault),
		})
	}
	if lacking := s.State.GPU.Lacking; len(lacking) > 0 {
		item("", keyStatusGPULacking, oomdoc.Args{"n": oomdoc.Count(len(lacking)), "first": oomdoc.Text(lacking[0])})
	}
}

func deviceKey(d *daemon.GPUDevice) oomdoc.Key {
	switch {
	case d.Fault != "":
		return keyStatusDeviceFault
	case d.Asleep:
		return keyStatusDeviceSleep
	case d.Unified:
		return keyStatusDeviceRAM
	}
	return keyStatusDevice
}
