package view_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// said is a sentence as lang.Render leaves it.
func said(format string, args ...any) oomdoc.Sentence {
	return oomdoc.Sentence{Key: "test.said", Text: fmt.Sprintf(format, args...)}
}

// typed is a command as lang.Render leaves it.
func typed(line string) oomdoc.Sentence {
	command := oomdoc.Command(line)
	command.Text = line
	return command
}

func proof(record, format string, args ...any) oomdoc.Evidence {
	return oomdoc.Evidence{Sentence: said(format, args...), Record: record}
}

// moment is the time of every case: 12:04:05 in Seoul.
func moment() time.Time { return time.Date(2026, 12, 1, 3, 4, 5, 0, time.UTC) }

// base is what the cases have in common.
func base(id string, cause oomdoc.Cause, confidence oomdoc.Confidence) oomdoc.Incident {
	return oomdoc.Incident{
		ID: id, Time: moment(), Source: oomdoc.SourceKmsg, Killer: oomdoc.KillerKernel,
		Class: oomdoc.ClassHostRAM, Cause: cause, Confidence: confidence, Outcome: oomdoc.OutcomeKilled,
	}
}

// unitLimit is a systemd unit at its own limit.
func unitLimit() oomdoc.Incident {
	inc := base("7m2k9qxw4t", oomdoc.CauseCgroupLimit, oomdoc.Certain)
	inc.Summary = said("python3 (pid 4242) was killed: train.service reached its memory limit of 8.0 GiB.")
	inc.Process = &oomdoc.Process{
		PID: 4242, Name: new("python3"), UID: new(1000), OwnerKind: "unit", Owner: "train.service",
		Unit: "train.service", Cgroup: "/system.slice/train.service", Engine: "pytorch",
		Cmdline: []string{"/opt/venv/bin/python3", "train.py", "--model", "meta-llama/Llama-3.1-8B", "--note", "two words"},
	}
	inc.VictimReason = said("it held 7.8 GiB, more than any other of the 4 processes in the group (next: dataloader with 96 MiB)")
	inc.Memory = &oomdoc.Memory{LimitBytes: new(int64(8 << 30)), UsedBytes: new(int64(8 << 30)), RSSBytes: new(int64(8375186227))}
	inc.Evidence = []oomdoc.Evidence{
		proof("memory: usage 8388608kB, limit 8388608kB, failcnt 1911",
			"train.service used 8.0 GiB of its limit of 8.0 GiB, and had run into it 1911 times"),
		proof("oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/system.slice/train.service,task_memcg=/system.slice/train.service,task=python3,pid=4242,uid=1000",
			"the kernel names the memory limit of /system.slice/train.service as the constraint"),
		proof("Memory cgroup out of memory: Killed process 4242 (python3) total-vm:24264124kB, anon-rss:8163328kB, file-rss:15568kB, shmem-rss:0kB, UID:1000 pgtables:16820kB oom_score_adj:0",
			"python3 held 7.8 GiB, nearly all of it anonymous memory"),
	}
	inc.Fixes = []oomdoc.Fix{{
		Number: 8, Slug: "host", Title: said("Raise the memory limit of train.service"),
		Why: said("The unit filled its limit of 8.0 GiB and wanted more. How much more the log does not say: 12 GiB is a first try, and this machine has 32 GiB."),
		Steps: []oomdoc.Sentence{
			typed("sudo systemctl set-property train.service MemoryMax=12G"),
			said("It applies at once and stays after a reboot. Then start the unit again:"),
			typed("sudo systemctl restart train.service"),
		},
	}}
	return inc
}

const dockerID = "8f0c2d4e6a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0d"

// dockerLimit has the records of corpus case r16-docker.
func dockerLimit() oomdoc.Incident {
	inc := base("q3v8n0c5zd", oomdoc.CauseCgroupLimit, oomdoc.Certain)
	inc.Summary = said("node (pid 25939) was killed: container 8f0c2d4e6a1b reached its memory limit of 40 MiB.")
	inc.Process = &oomdoc.Process{
		PID: 25939, Name: new("node"), UID: new(0), OwnerKind: "container", Owner: "8f0c2d4e6a1b",
		Container: dockerID, ContainerName: "shop-web", Image: "registry.example.com/shop/web:2.11.0",
		Cgroup: "/docker/" + dockerID, Engine: "node",
	}
	inc.Memory = &oomdoc.Memory{LimitBytes: new(int64(40 << 20)), UsedBytes: new(int64(40 << 20))}
	inc.Evidence = []oomdoc.Evidence{
		proof("memory: usage 40960kB, limit 40960kB, failcnt 19",
			"the container used 40 MiB of its limit of 40 MiB"),
		proof("Memory cgroup out of memory: Killed process 25939 (node) total-vm:84264kB, anon-rss:40832kB, file-rss:1352kB, shmem-rss:0kB, UID:0 pgtables:120kB oom_score_adj:0",
			"node held 41 MiB"),
	}
	inc.BootID = "0F8E2A4C-6b1d-4c3e-9a7f-5d3b1c9e7a5f"
	inc.Kernel = &oomdoc.KernelContext{
		Constraint: "CONSTRAINT_MEMCG", Order: new(0), GFP: "GFP_KERNEL", Invoker: new("node"), PageSize: 4096,
		OOMCgroup: "/docker/" + dockerID, TaskCgroup: "/docker/" + dockerID,
	}
	inc.Records = []string{
		"4,2529,2132872239,-;node invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n",
		"6,2556,2132872393,-;memory: usage 40960kB, limit 40960kB, failcnt 19\n SUBSYSTEM=x\n",
	}
	inc.Fixes = []oomdoc.Fix{{
		Number: 8, Slug: "host", Title: said("Raise the memory limit of container shop-web"),
		SavesBytes: new(int64(24 << 20)), Enough: new(true),
		Steps: []oomdoc.Sentence{typed("docker update --memory 64m --memory-swap 64m " + dockerID)},
	}}
	return inc
}

// podLimit has the records of corpus case r14-k8s-pod-limit-two-containers.
func podLimit() oomdoc.Incident {
	inc := base("b1h6wz2p9r", oomdoc.CauseCgroupLimit, oomdoc.Certain)
	inc.Summary = said("nginx (pid 25937) was killed: its Kubernetes pod 3f1c9a52-77aa-4d0e-9b6c-5d2f8e1a0b3c reached its memory limit of 40 MiB.")
	inc.Process = &oomdoc.Process{
		PID: 25937, Name: new("nginx"), UID: new(0), OwnerKind: "pod", Owner: "3f1c9a52-77aa-4d0e-9b6c-5d2f8e1a0b3c",
		Pod: "3f1c9a52-77aa-4d0e-9b6c-5d2f8e1a0b3c", PodName: "web-6d4cf56db6-x2vkq", Namespace: "shop", QoS: "burstable",
		Container: dockerID, Cgroup: "/kubepods/burstable/pod3f1c9a52-77aa-4d0e-9b6c-5d2f8e1a0b3c/" + dockerID,
	}
	inc.Memory = &oomdoc.Memory{LimitBytes: new(int64(40 << 20)), UsedBytes: new(int64(40 << 20))}
	inc.Kernel = &oomdoc.KernelContext{OOMCgroup: "/kubepods/burstable/pod3f1c9a52-77aa-4d0e-9b6c-5d2f8e1a0b3c"}
	inc.Evidence = []oomdoc.Evidence{
		proof("memory: usage 40960kB, limit 40960kB, failcnt 72",
			"the pod used 40 MiB of its limit of 40 MiB"),
		proof("oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/kubepods/burstable/pod3f1c9a52-77aa-4d0e-9b6c-5d2f8e1a0b3c,task_memcg=/kubepods/burstable/pod3f1c9a52-77aa-4d0e-9b6c-5d2f8e1a0b3c/"+dockerID+",task=nginx,pid=25937,uid=0",
			"the limit is the pod's, not the container's: all 2 containers of the pod share it"),
	}
	inc.Fixes = []oomdoc.Fix{{
		Number: 8, Slug: "host", Title: said("Raise the memory limits of the pod's containers"),
		Steps: []oomdoc.Sentence{
			said("The sum of resources.limits.memory over the pod's containers is now 40 MiB. Set it to 64Mi or more:"),
			typed("kubectl --namespace shop set resources deployment/web --containers='*' --limits=memory=64Mi"),
		},
	}}
	return inc
}

// hostNoSwap has the records of corpus case v01-global-anon-5.10.
func hostNoSwap() oomdoc.Incident {
	inc := base("0d5g7yn3ks", oomdoc.CauseHostExhausted, oomdoc.Certain)
	inc.Time, inc.TimeApproximate = moment().Add(-26*time.Hour), true
	inc.Summary = said("big-hog (pid 100) was killed: the whole machine ran out of RAM, and it has no swap.")
	inc.Process = &oomdoc.Process{PID: 100, Name: new("big-hog"), UID: new(0), OwnerKind: "host", Owner: "/", Cgroup: "/"}
	inc.Evidence = []oomdoc.Evidence{
		proof("Node 0 DMA32 free:1708kB min:1728kB low:2160kB high:2592kB reserved_highatomic:0KB active_anon:272kB inactive_anon:187996kB active_file:0kB inactive_file:0kB unevictable:0kB",
			"zone DMA32 had 1.7 MiB free, below its minimum of 1.7 MiB (1708 of 1728 KiB)"),
		proof("Total swap = 0kB", "there is no swap: 0 bytes in total"),
		proof("Out of memory: Killed process 100 (big-hog) total-vm:1684164kB, anon-rss:174168kB, file-rss:4kB, shmem-rss:1904kB, UID:0 pgtables:432kB oom_score_adj:0",
			"big-hog held 172 MiB of 224 MiB of RAM"),
	}
	inc.Fixes = []oomdoc.Fix{{
		Number: 8, Slug: "host", Title: said("Add swap"),
		Why:        said("Without swap, memory that nobody has touched for days cannot make room."),
		SavesBytes: new(int64(40 << 20)), Enough: new(false),
		Steps: []oomdoc.Sentence{
			typed("sudo fallocate -l 512M /swapfile && sudo chmod 600 /swapfile && sudo mkswap /swapfile && sudo swapon /swapfile"),
			typed("echo '/swapfile none swap sw 0 0' | sudo tee -a /etc/fstab"),
		},
	}, {
		Number: 8, Slug: "host", Title: said("Give the biggest process a limit of its own, so that it fails alone"),
		SavesBytes: new(int64(20 << 20)),
		Steps:      []oomdoc.Sentence{typed("sudo systemd-run --scope -p MemoryMax=150M ./big-hog")},
	}}
	return inc
}

// groupKill has the records of corpus case v23-v2-oom-group-6.1.
func groupKill() oomdoc.Incident {
	inc := base("k9r4c1m8xe", oomdoc.CauseCgroupLimit, oomdoc.Likely)
	inc.Source = oomdoc.SourceFile
	inc.Summary = said("web.service was killed with its 4 processes: it reached its memory limit of 40 MiB.")
	inc.Process = &oomdoc.Process{
		PID: 128, Name: new("web-worker2"), UID: new(0), OwnerKind: "unit", Owner: "web.service",
		Unit: "web.service", Cgroup: "/app.slice/web.service",
	}
	inc.Victims = []oomdoc.Victim{
		{PID: 128, Name: "web-worker2", RSSBytes: new(int64(37789696))},
		{PID: 110, Name: "web-master", RSSBytes: new(int64(4587520))},
		{PID: 111, Name: "web-worker1", RSSBytes: new(int64(5660672))},
		{PID: 118, Name: "init"},
	}
	for pid := 200; pid < 212; pid++ {
		inc.Victims = append(inc.Victims, oomdoc.Victim{PID: pid, Name: "helper"})
	}
	inc.VictimReason = said("memory.oom.group is set on the unit, so all of its processes die together")
	inc.Memory = &oomdoc.Memory{LimitBytes: new(int64(40 << 20)), UsedBytes: new(int64(41791488))}
	inc.Evidence = []oomdoc.Evidence{
		proof(`memory: usage 40812kB, limit 40960kB, failcnt 19`, "web.service used 40 MiB of its limit of 40 MiB"),
		proof(`Tasks in /app.slice/web.service are going to be killed due to memory.oom.group set`,
			"the kernel killed all 4 processes of the group"),
	}
	inc.Missing = []oomdoc.Sentence{said("this form of log does not tell who wrote a line, so the report could be forged")}
	return inc
}

// bareKill is one kill line and nothing else.
func bareKill() oomdoc.Incident {
	inc := base("z8e2t6f0ha", oomdoc.CauseUndecided, oomdoc.Possible)
	inc.Source, inc.Time = oomdoc.SourceStdin, time.Time{}
	inc.Summary = said("java (pid 966) was killed by the kernel's out-of-memory killer; the log does not say which memory ran out.")
	inc.Process = &oomdoc.Process{PID: 966, Name: new("java")}
	inc.Evidence = []oomdoc.Evidence{
		proof("Killed process 966 (java) total-vm:140240kB, anon-rss:29644kB, file-rss:22864kB, shmem-rss:0kB", "java held 51 MiB"),
	}
	inc.Missing = []oomdoc.Sentence{
		said("the report before the kill line: neither the constraint nor a limit is in this log"),
		said("the amount of free memory and swap"),
	}
	return inc
}

// hostile has names that try what a terminal could be made to do.
func hostile() oomdoc.Incident {
	inc := unitLimit()
	inc.ID = "4c0ntr0lzz"
	name := "\x1b]0;own\x07\x9b2J\u202e"
	unit := "a\u009b31m\r\nb;rm -rf ~\u200b.service"
	inc.Summary = said("%s (pid 4242) was killed: %s reached its memory limit of 8.0 GiB.", name, unit)
	inc.Process.Name, inc.Process.Owner, inc.Process.Unit = &name, unit, unit
	inc.Process.Cmdline = []string{"\x1b[2J", "--" + strings.Repeat("x", 300), "\xff\xfe", "it's", ""}
	inc.Process.Cgroup = "/system.slice/" + unit
	inc.Victims = []oomdoc.Victim{{PID: 1, Name: "\x1b[31m"}, {PID: 2, Name: ""}}
	inc.Evidence = []oomdoc.Evidence{proof("\x1b[1A\x1b[2K"+strings.Repeat("y", 200)+"\x1bc", "the record of %s", name)}
	inc.Fixes[0].Steps = []oomdoc.Sentence{typed("sudo systemctl set-property '" + unit + "' MemoryMax=12G")}
	return inc
}

// korean has names of wide characters.
func korean() oomdoc.Incident {
	inc := unitLimit()
	inc.ID = "h4ng0vv1de"
	inc.Summary = said("학습작업 (pid 4242) was killed: 대규모언어모델학습.service reached its memory limit of 8.0 GiB.")
	inc.Process.Name = new("학습작업🔥")
	inc.Process.Owner, inc.Process.Unit = "대규모언어모델학습.service", "대규모언어모델학습.service"
	inc.Process.Cgroup = "/system.slice/대규모언어모델학습.service"
	inc.Process.Cmdline = []string{"/opt/학습/bin/python3", strings.Repeat("모델", 60)}
	inc.Evidence = []oomdoc.Evidence{
		proof("oom-kill:constraint=CONSTRAINT_MEMCG,oom_memcg=/system.slice/"+strings.Repeat("대규모언어모델학습", 6)+".service,task=학습작업",
			"대규모언어모델학습.service used 8.0 GiB of its limit of 8.0 GiB: %s", strings.Repeat("한글", 50)),
	}
	inc.Fixes = nil
	return inc
}

// noVictim is a group of reports that killed nobody.
func noVictim() oomdoc.Incident {
	inc := base("n0v1ct1m00", oomdoc.CauseCgroupLimit, oomdoc.Certain)
	inc.Outcome, inc.Count, inc.Killer = oomdoc.OutcomeDegraded, 14, ""
	inc.Summary = said("nobody could be killed: /batch reached its memory limit of 64 MiB and every process in it is protected.")
	inc.Kernel = &oomdoc.KernelContext{OOMCgroup: "/batch"}
	inc.Evidence = []oomdoc.Evidence{proof("Out of memory and no killable processes...", "the kernel found 0 killable processes, 14 times")}
	return inc
}

// burst is n kills of one unit within three seconds, newest first.
func burst(n int) []oomdoc.Incident {
	incidents := make([]oomdoc.Incident, 0, n)
	for i := n - 1; i >= 0; i-- {
		inc := unitLimit()
		inc.ID = fmt.Sprintf("burst%05d", i)
		inc.Burst = "burst00000"
		inc.Process = &oomdoc.Process{PID: 5000 + i, Name: new("worker"), OwnerKind: "unit", Owner: "x.service"}
		inc.Time = moment().Add(time.Duration(i) * 3 * time.Second / time.Duration(n-1))
		incidents = append(incidents, inc)
	}
	return incidents
}
