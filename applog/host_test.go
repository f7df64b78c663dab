package applog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/oomdoc/oomdoc"
)

const gib = int64(1) << 30

// programErrors gives what programs said in a log, each as it was told last.
func onlyPrograms(tb testing.TB, log string) []oomdoc.ProgramError {
	tb.Helper()
	var list []oomdoc.ProgramError
	for _, ev := range events(tb, log) {
		if ev.Program != nil {
			list = append(list, *ev.Program)
		}
	}
	return list
}

// told is what the tests of texts compare of an error: who, which memory, how
// much.
func told(e oomdoc.ProgramError) oomdoc.ProgramError {
	return oomdoc.ProgramError{
		Engine: e.Engine, Pool: e.Pool, Refusal: e.Refusal, Requested: e.Requested, InUse: e.InUse, Limit: e.Limit,
		PID: e.PID, Operation: e.Operation, Rank: e.Rank,
	}
}

// The texts are those of the versions named, from the sources that each dialect
// names and from public reports.
func TestHostProgramsRefusedMemory(t *testing.T) {
	host, runtime, shm := oomdoc.PoolHost, oomdoc.PoolRuntime, oomdoc.PoolShm
	for name, test := range map[string]struct {
		log  string
		want oomdoc.ProgramError
	}{
		"python": {
			"Traceback (most recent call last):\n  File \"/srv/app/etl.py\", line 12, in <module>\n    rows = [0] * (10 ** 9)\n           ~~~~^~~~~~~~~~~\nMemoryError\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePython, Pool: host},
		},
		"python, by a logger": {
			"2026-10-01 12:00:00,123 ERROR [celery.app.trace] Task tasks.load raised unexpected: MemoryError()\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePython, Pool: host},
		},
		"python, with a message": {
			"[rank2]: MemoryError: bad allocation\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePython, Pool: host, Rank: new(2)},
		},
		"python, in a message of the journal": {
			`{"__REALTIME_TIMESTAMP":"1790000000000000","_SYSTEMD_UNIT":"etl.service","_PID":"42","SYSLOG_IDENTIFIER":"python3","MESSAGE":"job failed\nTraceback (most recent call last):\n  File \"/srv/etl.py\", line 3, in main\n    x = bytearray(n)\nMemoryError"}` + "\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePython, Pool: host, PID: 42},
		},
		"numpy 1.17": {
			"numpy.core._exceptions.MemoryError: Unable to allocate array with shape (20000, 2000000) and data type float64\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNumPy, Pool: host, Requested: new(int64(320000000000)), Operation: "array with shape (20000, 2000000) and data type float64"},
		},
		"numpy 1.18": {
			"numpy.core._exceptions.MemoryError: Unable to allocate 2.91 TiB for an array with shape (200000, 2000000) and data type float64\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNumPy, Pool: host, Requested: new(int64(3199578836828)), Operation: "array with shape (200000, 2000000) and data type float64"},
		},
		"numpy 1.20": {
			"numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array with shape (100000, 100000) and data type float64\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNumPy, Pool: host, Requested: new(gib * 149 / 2), Operation: "array with shape (100000, 100000) and data type float64"},
		},
		"numpy 2": {
			"  ERROR | worker-3 | numpy._core._exceptions._ArrayMemoryError: Unable to allocate 512. MiB for an array with shape (512, 1024, 1024) and data type uint8\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNumPy, Pool: host, Requested: new(512 * mib), Operation: "array with shape (512, 1024, 1024) and data type uint8"},
		},
		"arrow": {
			"pyarrow.lib.ArrowMemoryError: malloc of size 34359738432 failed\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePython, Pool: host, Requested: new(int64(34359738432))},
		},
		"libstdc++": {
			"terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\nAborted (core dumped)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineCpp, Pool: host},
		},
		"libc++": {
			"libc++abi: terminating due to uncaught exception of type std::bad_alloc: std::bad_alloc\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineCpp, Pool: host},
		},
		"libc++ to 14": {
			"libc++abi.dylib: terminating with uncaught exception of type std::bad_alloc: std::bad_alloc\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineCpp, Pool: host},
		},
		"C++ through Python": {
			"RuntimeError: std::bad_alloc\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineCpp, Pool: host},
		},
		"OpenCV": {
			"cv2.error: OpenCV(4.8.0) /io/opencv/modules/core/src/alloc.cpp:73: error: (-4:Insufficient memory) Failed to allocate 1244160000 bytes in function 'OutOfMemoryError'\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineCpp, Pool: host, Requested: new(int64(1244160000))},
		},
		"java heap": {
			"Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space\n\tat J.main(J.java:1)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: runtime, Refusal: oomdoc.RefusalCap, Operation: "Java heap space"},
		},
		"java, GC overhead, behind a cause": {
			"2026-03-01 10:00:00.000 ERROR 1 --- [nio-8080-exec-3] o.a.c.c.C.[.[.[/].[dispatcherServlet]    : Servlet.service() threw exception\n\nCaused by: java.lang.OutOfMemoryError: GC overhead limit exceeded\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: runtime, Refusal: oomdoc.RefusalCap, Operation: "GC overhead limit exceeded"},
		},
		"java, metaspace, ending by an option": {
			"Terminating due to java.lang.OutOfMemoryError: Metaspace\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: runtime, Refusal: oomdoc.RefusalCap, Operation: "Metaspace"},
		},
		"java 17, direct buffers": {
			"java.lang.OutOfMemoryError: Cannot reserve 1048576 bytes of direct buffer memory (allocated: 268082458, limit: 268435456)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: runtime, Refusal: oomdoc.RefusalCap, Operation: "Direct buffer memory", Requested: new(mib), InUse: new(int64(268082458)), Limit: new(256 * mib)},
		},
		"java, the machine": {
			"java.lang.OutOfMemoryError: request 32756 bytes for ChunkPool::allocate. Out of swap space?\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: host, Operation: "Out of swap space", Requested: new(int64(32756))},
		},
		"java at its start, class space": {
			"Error occurred during initialization of VM\nCould not allocate compressed class space: 1073741824 bytes\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: host, Requested: new(gib)},
		},
		"java at its start, heap": {
			"Error occurred during initialization of VM\nCould not reserve enough space for 8388608KB object heap\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: host, Requested: new(8 * gib)},
		},
		"java at its start, commit": {
			"OpenJDK 64-Bit Server VM warning: INFO: os::commit_memory(0x00000004c0000000, 12884901888, 0) failed; error='Not enough space' (errno=12)\n#\n# There is insufficient memory for the Java Runtime Environment to continue.\n# Native memory allocation (mmap) failed to map 12884901888 bytes for committing reserved memory.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: host, Requested: new(12 * gib)},
		},
		"node 20": {
			"<--- Last few GCs --->\n[15837:0x4443fe20]      901 ms: Mark-Compact 59.8 (92.9) -> 59.8 (92.9) MB, 257.16 / 0.00 ms  (average mu = 0.122, current mu = 0.063) allocation failure; scavenge might not succeed\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\nAborted (core dumped)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNode, Pool: runtime, Refusal: oomdoc.RefusalCap, InUse: new(int64(62704844))},
		},
		"node 12": {
			"[8:0x1] 31337 ms: Mark-sweep 2046.5 (2051.4) -> 2045.0 (2051.9) MB, 900.1 / 0.0 ms  (average mu = 0.1) allocation failure scavenge might not succeed\nFATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNode, Pool: runtime, Refusal: oomdoc.RefusalCap, InUse: new(2045 * mib)},
		},
		"node, an array": {
			"FATAL ERROR: invalid array length Allocation failed - JavaScript heap out of memory\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNode, Pool: runtime, Refusal: oomdoc.RefusalCap},
		},
		"node 6": {
			"FATAL ERROR: CALL_AND_RETRY_LAST Allocation failed - process out of memory\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNode, Pool: runtime, Refusal: oomdoc.RefusalCap},
		},
		"node 22": {
			"#\n# Fatal JavaScript out of memory: Reached heap limit\n#\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNode, Pool: runtime, Refusal: oomdoc.RefusalCap},
		},
		"node, a worker": {
			"Error [ERR_WORKER_OUT_OF_MEMORY]: Worker terminated due to reaching memory limit: JS heap out of memory\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNode, Pool: runtime, Refusal: oomdoc.RefusalCap},
		},
		"go": {
			"runtime: out of memory: cannot allocate 8388608-byte block (4030595072 in use)\nfatal error: out of memory\n\nruntime stack:\nruntime.throw({0x4a1c2e?, 0x0?})\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineGo, Pool: host, Requested: new(8 * mib), InUse: new(int64(4030595072))},
		},
		"go, by systemd's syslog": {
			"Dec  1 10:00:00 n gosrv[77]: fatal error: runtime: out of memory\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineGo, Pool: host},
		},
		"rust": {
			"memory allocation of 268435456 bytes failed\nbash: line 88: 15835 Aborted                 ./r\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineRust, Pool: host, Requested: new(256 * mib)},
		},
		"rust, in docker's log": {
			`{"log":"memory allocation of 5368709120 bytes failed\n","stream":"stderr","time":"2026-05-01T10:00:00.5Z"}` + "\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineRust, Pool: host, Requested: new(5 * gib)},
		},
		"postgres": {
			"2026-05-01 10:00:00 UTC [88] ERROR:  out of memory\n2026-05-01 10:00:00 UTC [88] DETAIL:  Failed on request of size 1048576 in memory context \"ExecutorState\".\n",
			oomdoc.ProgramError{Pool: host, Requested: new(mib)},
		},
		"R": {
			"Error: cannot allocate vector of size 7.5 Gb\n",
			oomdoc.ProgramError{Pool: host, Requested: new(gib * 15 / 2)},
		},
		"PHP": {
			"PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in /var/www/a.php on line 3\n",
			oomdoc.ProgramError{Pool: runtime, Refusal: oomdoc.RefusalCap, Limit: new(128 * mib), Requested: new(int64(20480))},
		},
		"a worker's bus error": {
			"ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).\nRuntimeError: DataLoader worker (pid 2841) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit.\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: shm, Refusal: oomdoc.RefusalBus},
		},
		"a tensor's file": {
			"RuntimeError: unable to write to file </torch_4123_2817>: No space left on device (28)\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: shm, Operation: "shared memory of tensors"},
		},
		"a tensor's file, 1.0": {
			"RuntimeError: unable to write to file </torch_18692_1954506624> at /pytorch/aten/src/TH/THAllocator.cpp:383: No space left on device (28)\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: shm, Operation: "shared memory of tensors"},
		},
		"a tensor's mapping": {
			"RuntimeError: unable to mmap 1228800 bytes from file </torch_8_21>: Cannot allocate memory (12)\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: host, Operation: "shared memory of tensors", Requested: new(int64(1228800))},
		},
		"NCCL's segment": {
			"node1:31:95 [0] include/shm.h:28 NCCL WARN Call to posix_fallocate failed : No space left on device\nnode1:31:95 [0] transport/shm.cc:100 NCCL WARN Error while creating shared memory segment /dev/shm/nccl-qWjM2z (size 9637888)\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: shm, Operation: "NCCL", Requested: new(int64(9637888))},
		},
		"postgres' segment": {
			"ERROR:  could not resize shared memory segment \"/PostgreSQL.1203214412\" to 8388608 bytes: No space left on device\n",
			oomdoc.ProgramError{Pool: shm, Requested: new(8 * mib)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			list := onlyPrograms(t, test.log)
			if len(list) != 1 {
				t.Fatalf("got %d errors, want 1: %+v", len(list), list)
			}
			if diff := cmp.Diff(test.want, told(list[0]), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if list[0].Line == "" || list[0].Outcome != oomdoc.OutcomeFailed {
				t.Errorf("outcome %q, line %q", list[0].Outcome, list[0].Line)
			}
		})
	}
}

func TestEndsBySIGKILL(t *testing.T) {
	for name, test := range map[string]struct {
		log  string
		want oomdoc.ProgramError
	}{
		"a worker":                  {"RuntimeError: DataLoader worker (pid 28841) is killed by signal: Killed. \n", oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, PID: 28841}},
		"bash":                      {"./depth.sh: line 80: 1511091 Killed                  CUDA_VISIBLE_DEVICES=0 python vis.py \"$CKPT\" --batch-size=8\n", oomdoc.ProgramError{PID: 1511091, Operation: "CUDA_VISIBLE_DEVICES=0 python vis.py \"$CKPT\" --batch-size=8"}},
		"bash, behind a bar":        {"loading:  12%|█▏\rloading:  58%|█████▊./depth.sh: line 80: 77 Killed                  python x\n", oomdoc.ProgramError{PID: 77, Operation: "python x"}},
		"bash, a job":               {"[1]+  Killed                  python train.py\n", oomdoc.ProgramError{Operation: "python train.py"}},
		"dash":                      {"step 12\nKilled\n", oomdoc.ProgramError{}},
		"zsh":                       {"zsh: killed     python train.py\n", oomdoc.ProgramError{Operation: "python train.py"}},
		"zsh, a job":                {"[1]  + 15929 killed     python train.py\n", oomdoc.ProgramError{PID: 15929, Operation: "python train.py"}},
		"fish":                      {"fish: Job 1, 'python train.py' terminated by signal SIGKILL (Forced quit)\n", oomdoc.ProgramError{}},
		"make":                      {"make: *** [Makefile:3: train] Killed\n", oomdoc.ProgramError{}},
		"make, by status":           {"make[1]: *** [Makefile:3: train] Error 137\n", oomdoc.ProgramError{}},
		"the compiler's driver":     {"g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\nmake: *** [Makefile:9: a.o] Error 1\n", oomdoc.ProgramError{}},
		"subprocess":                {"subprocess.CalledProcessError: Command '['/usr/bin/python3', 'train.py']' died with <Signals.SIGKILL: 9>.\n", oomdoc.ProgramError{Engine: oomdoc.EnginePython}},
		"a process pool":            {"concurrent.futures.process.BrokenProcessPool: A process in the process pool was terminated abruptly while the future was running or pending.\n", oomdoc.ProgramError{Engine: oomdoc.EnginePython}},
		"joblib":                    {"joblib.externals.loky.process_executor.TerminatedWorkerError: A worker process managed by the executor was unexpectedly terminated. This could be caused by a segmentation fault while calling the function or by an excessive memory usage causing the Operating System to kill the worker.\n\nThe exit codes of the workers are {SIGKILL(-9)}\n", oomdoc.ProgramError{Engine: oomdoc.EnginePython}},
		"gunicorn":                  {"[2026-03-01 10:00:00 +0000] [1] [ERROR] Worker (pid:17) was sent SIGKILL! Perhaps out of memory?\n", oomdoc.ProgramError{Engine: oomdoc.EnginePython, PID: 17}},
		"torchrun":                  {"E1001 12:00:00.000000 140 torch/distributed/elastic/multiprocessing/api.py:826] failed (exitcode: -9) local_rank: 3 (pid: 540) of binary: /usr/bin/python3\nFailures:\n  exitcode  : -9 (pid: 540)\n  traceback : Signal 9 (SIGKILL) received by PID 540\n", oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, PID: 540, Rank: new(3)}},
		"docker compose":            {"worker-1 exited with code 137\n", oomdoc.ProgramError{}},
		"a launcher":                {"Process finished with exit code 137 (interrupted by signal 9:SIGKILL)\n", oomdoc.ProgramError{}},
		"a child of a Go program":   {`time=2026-10-01T12:00:00.000Z level=ERROR source=run.go:12 msg="job failed" error="run job: signal: killed"` + "\n", oomdoc.ProgramError{}},
		"kubectl describe":          {"    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n", oomdoc.ProgramError{Operation: "OOMKilled"}},
		"kubectl get":               {"NAME          READY   STATUS      RESTARTS     AGE\ncart-5b6dd4   0/1     OOMKilled   3 (5m ago)   12m\n", oomdoc.ProgramError{Operation: "OOMKilled"}},
		"docker inspect":            {"            \"Running\": false,\n            \"OOMKilled\": true,\n            \"Dead\": false,\n            \"Pid\": 0,\n            \"ExitCode\": 137,\n", oomdoc.ProgramError{Operation: "OOMKilled"}},
		"kubectl -o json, one line": {`{"state":{"terminated":{"exitCode":137,"reason":"OOMKilled"}}}` + "\n", oomdoc.ProgramError{Operation: "OOMKilled"}},
	} {
		t.Run(name, func(t *testing.T) {
			list := onlyPrograms(t, test.log)
			if len(list) != 1 {
				t.Fatalf("got %d errors, want 1: %+v", len(list), list)
			}
			test.want.Pool, test.want.Refusal = oomdoc.PoolHost, oomdoc.RefusalKilled
			if diff := cmp.Diff(test.want, told(list[0])); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if list[0].Outcome != oomdoc.OutcomeKilled {
				t.Errorf("outcome %q", list[0].Outcome)
			}
		})
	}
}

func TestWhatOnlyLooksLikeRefusedHostMemory(t *testing.T) {
	for name, log := range map[string]string{
		"a thread is no memory":         "Exception in thread \"main\" java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached\n",
		"a thread, to 8":                "java.lang.OutOfMemoryError: unable to create new native thread\n",
		"code":                          "        except MemoryError:\n    raise MemoryError('too large')\ncatch (const std::bad_alloc& e) {\n  } catch (OutOfMemoryError e) { throw new java.lang.OutOfMemoryError(); }\n#include <new> // std::bad_alloc\n throw std::bad_alloc();\nfunc TestMemoryError(t *testing.T) {\n",
		"an option":                     "JAVA_OPTS=-XX:+HeapDumpOnOutOfMemoryError -XX:+ExitOnOutOfMemoryError\nNODE_OPTIONS=--max-old-space-size=4096\n",
		"teardown":                      "Training Progress: 100%|██████████| 1/1 [03:11<00:00, 191.20s/it]\nException ignored in: <function _MultiProcessingDataLoaderIter.__del__ at 0x7f1>\nTraceback (most recent call last):\n  File \"a.py\", line 1, in __del__\n    self._shutdown_workers()\nRuntimeError: DataLoader worker (pid 6120) is killed by signal: Killed. \nexit status 0\n",
		"ended well":                    "RuntimeError: DataLoader worker (pid 6120) is killed by signal: Killed. \nexit status 0\n",
		"a worker's other signals":      "RuntimeError: DataLoader worker (pid 6120) is killed by signal: Segmentation fault. \nRuntimeError: DataLoader worker (pid(s) 7, 8) exited unexpectedly\n",
		"too many files":                "RuntimeError: unable to open shared memory object </torch_4123_28> in read-write mode: Too many open files (24)\nRuntimeError: unable to mmap 1228800 bytes from file </torch_8_21>: Invalid argument (22)\n",
		"gunicorn's own time-out":       "[2026-03-01 10:00:00 +0000] [1] [CRITICAL] WORKER TIMEOUT (pid:17)\n[2026-03-01 10:00:01 +0000] [1] [ERROR] Worker (pid:17) was sent SIGKILL! Perhaps out of memory?\n",
		"SGLang's own kill":             "Received sigquit from a child process. It usually means the child failed.\nKilled\n",
		"joblib, a crash":               "TerminatedWorkerError: A worker process managed by the executor was unexpectedly terminated.\n\nThe exit codes of the workers are {SIGSEGV(-11)}\n",
		"a game":                        "Player1 Killed  Player2\nKilled by a goblin\nKilled process 7\nno one was killed  today\n",
		"not killed":                    "            \"OOMKilled\": false,\nOOMKilled containers are restarted\n  Reason:       Completed\n",
		"a manual":                      "Sometimes you will see an error like this:\n\n    MemoryError: Unable to allocate 7.45 GiB for an array with shape (1000, 1000000) and data type float64\n\nUse a smaller dtype.\n",
		"a fence":                       "# Memory\n\n```\nTraceback (most recent call last):\n  File \"x.py\", line 1\nMemoryError\n```\nFATAL? no.\n",
		"a page that explains":          "The runtime throws java.lang.OutOfMemoryError: Java heap space when the heap is full.\nNode says FATAL: if you see \"JavaScript heap out of memory\" raise the limit.\n- `std::bad_alloc` means that new failed\n",
		"an exit code in documentation": "If you see exit code 137 your container was killed.\nexit code 1370\n",
		"go test":                       "    run_test.go:88: run: signal: killed\n    alloc_test.go:12: fatal error: out of memory\n--- PASS: TestKilled (0.00s)\n",
		"pytest":                        "tests/test_alloc.py:12: MemoryError\n",
		"a chat":                        "user: my java says java.lang.OutOfMemoryError: Java heap space, help\nassistant: MemoryError means no memory\n",
		"RMM is not the host":           "terminate called after throwing an instance of 'rmm::out_of_memory'\n  what():  std::bad_alloc: out_of_memory: CUDA error at: /opt/rmm.hpp:70\n",
		"too many connections":          "bash: fork: retry: Resource temporarily unavailable\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, e := range onlyPrograms(t, log) {
				if e.Engine == oomdoc.EngineRAPIDS {
					continue
				}
				t.Errorf("got %+v", e)
			}
		})
	}
}

// One text, as terminals, shippers, shells of Windows and log drivers leave it.
func TestOneErrorInEveryWrapping(t *testing.T) {
	const text = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 1 has a total capacity of 23.53 GiB of which 61.19 MiB is free. Including non-PyTorch memory, this process has 23.46 GiB memory in use. Of the allocated memory 22.90 GiB is allocated by PyTorch, and 101.00 MiB is reserved by PyTorch but unallocated."
	trace := "Traceback (most recent call last):\n  File \"/srv/train.py\", line 3, in step\n    loss.backward()\n" + text
	quoted := strings.ReplaceAll(strings.ReplaceAll(trace, `"`, `\"`), "\n", `\n`)
	logs := map[string]string{
		"plain":            text,
		"colours":          "\x1b[31m\x1b[1mOutOfMemoryError\x1b[0m: \x1b[91mCUDA out of \x1b[1mmemory\x1b[0m. Tried" + strings.SplitAfter(text, "Tried")[1],
		"a bar before it":  "train:  12%|█▏        | 12/100 [00:01<00:07]\rtrain:  13%|█▎        | 13/100 [00:01<00:07]\r" + text,
		"journal":          `{"__REALTIME_TIMESTAMP":"1790000000000000","_PID":"7","SYSLOG_IDENTIFIER":"python","MESSAGE":"` + quoted + `"}`,
		"journal, bytes":   `{"__REALTIME_TIMESTAMP":"1790000000000000","_PID":"7","SYSLOG_IDENTIFIER":"python","MESSAGE":` + byteArray("\x1b[31m"+text) + `}`,
		"docker":           `{"log":"` + text + `\n","stream":"stderr","time":"2026-05-01T10:00:00.5Z"}`,
		"CRI":              "2026-05-01T10:00:00.000000001+02:00 stderr F " + text,
		"kubectl --prefix": "[pod/train-0/main] " + text,
		"docker compose":   "train-1  | " + text,
		"syslog":           "Dec  1 10:00:00 gpu1 train[77]: " + text,
		"torchrun":         "[rank0]: " + text,
		"torch launch":     "[1]:" + text,
		"ray":              "(RayWorkerWrapper pid=540, ip=10.0.0.2) " + text,
		"vllm":             "(EngineCore_DP0 pid=207) ERROR 10-01 12:00:00 [core.py:700] " + text,
		"python logging":   "2026-10-01 12:00:00,123 - trainer - ERROR - " + text,
		"loguru":           "2026-10-01 12:00:00.123 | ERROR    | trainer:step:88 - " + text,
		"JSON":             `{"ts":"2026-10-01T12:00:00Z","level":"error","msg":"step failed","err":"` + quoted + `"}`,
		"JSON in JSON":     `{"message":"{\"level\":\"error\",\"exception\":\"` + strings.ReplaceAll(quoted, `\`, `\\`) + `\"}"}`,
		"slog":             `time=2026-10-01T12:00:00Z level=ERROR msg="step failed" err="` + quoted + `"`,
		"a page":           "&lt;pre&gt;" + strings.ReplaceAll(text, "'", "&#39;") + "&lt;/pre&gt;",
		"carriage returns": strings.ReplaceAll(trace, "\n", "\r\n"),
		"80 columns":       cut(text, 80),
		"80, after others": "[INFO] loading\n" + cut("[rank3]: "+text, 80) + "\n[INFO] done",
		"100 columns":      cut(text, 100),
		"117 columns":      cut(text, 117),
		"132 columns":      cut("2026-10-01 12:00:00,123 - trainer - ERROR - "+text, 132),
		"syslog at 80":     cut("Dec  1 10:00:00 gpu1 train[77]: "+text, 80),
		"words kept whole": strings.ReplaceAll(strings.ReplaceAll(text, "is free. ", "is free.\n"), "in use. ", "in use.\n"),
	}
	// Cut in the middle of what it is known by.
	for column := range 12 {
		pad := strings.Repeat("x", 80-len("CUDA out of mem")-4-column)
		logs["in the middle, "+itoa(column)] = cut(pad+": CUDA out of memory. Tried"+strings.SplitAfter(text, "Tried")[1], 80)
	}
	for name, log := range logs {
		t.Run(name, func(t *testing.T) {
			list := onlyPrograms(t, log+"\n")
			if len(list) != 1 {
				t.Fatalf("got %d errors, want 1: %+v", len(list), list)
			}
			e := list[0]
			got := oomdoc.ProgramError{Engine: e.Raiser, Requested: e.Requested, Total: e.Total, Free: e.Free, Own: e.Own, Allocated: e.Allocated, Unallocated: e.Unallocated}
			want := oomdoc.ProgramError{
				Engine: oomdoc.EnginePyTorch, Requested: new(512 * mib), Total: new(int64(25265145118)), Free: new(int64(64162365)),
				Own: new(int64(25189983191)), Allocated: new(int64(24588687769)), Unallocated: new(101 * mib),
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func cut(text string, width int) string {
	var lines []string
	for runes := []rune(text); len(runes) > 0; {
		n := min(width, len(runes))
		lines, runes = append(lines, string(runes[:n])), runes[n:]
	}
	return strings.Join(lines, "\n")
}

func byteArray(text string) string {
	var numbers []string
	for _, c := range []byte(text) {
		numbers = append(numbers, itoa(int(c)))
	}
	return "[" + strings.Join(numbers, ",") + "]"
}

// A file is often a mixture: what the kernel's log says, then what the program
// said.
func TestProgramsLinesAfterTheKernels(t *testing.T) {
	for name, head := range map[string]string{
		"dmesg":   "[   12.345678] nvidia-nvlink: Nvlink Core is being initialized\n[   12.345679] usb 1-1: new device\n",
		"syslog":  "Dec  1 10:00:00 n kernel: usb 1-1: new device\n",
		"tag":     "kernel: usb 1-1: new device\n",
		"dmesg-T": "[Tue Dec  1 03:51:19 2026] usb 1-1: new device\n",
	} {
		log := head + "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nMemoryError\n"
		if list := onlyPrograms(t, log); len(list) != 1 || list[0].Engine != oomdoc.EnginePython {
			t.Errorf("%s: got %+v", name, list)
		}
	}
}
