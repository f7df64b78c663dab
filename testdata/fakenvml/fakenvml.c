// NOTE: go-nvml's copy of nvml.h wraps handles as struct{ptr}; the SysV ABI passes that exactly like NVIDIA's plain pointer typedef.
// fakenvml: a small stand-in for libnvidia-ml.so.1, driven by a text script. Linux, glibc.
// Build: gcc -O2 -fPIC -shared -Wl,-soname,libnvidia-ml.so.1 -I<dir of nvml.h> fakenvml.c -o libnvidia-ml.so.1 -lpthread
// Without the variables it reads the files "script" and "clock" beside the library, and writes to "trace" where that file exists.
// -DLACK_MEMORY_V2, -DLACK_PROCESSES, -DLACK_COUNT leave functions out, as older drivers do.
// Env:   FAKENVML_SCRIPT=path  the script (read again when its mtime or size changes)
//        FAKENVML_CLOCK=path   a file holding the current script time in ms (else: ms since nvmlInit)
//        FAKENVML_TRACE=path   one line a call is appended there (t_ms function return-code)
// Script lines ('#' comments; sizes in MiB, times in ms):
//   gpu IDX name=.. uuid=.. bdf=00000000:01:00.0 total=24576 reserved=512 [mig=0|1] [mem=ok|unsupported] [persist=0|1] [ecc_remap=u,p,f]
//   mem T IDX used=MIB            a point of GPU IDX's curve (linear between points; flat after the last)
//   proc IDX pid=N used=MIB|NA from=T to=T type=C|G|M [name=..] [gi=..] [ci=..]    (to=-1: for ever)
//   acct IDX pid=N max=MIB from=T [to=T]   (accounting record; isRunning until to)
//   acctmode IDX 0|1
//   err FUNC code=N [gpu=IDX] [from=T] [to=T]      FUNC returns code in that window
//   hang FUNC ms=N [gpu=IDX] [from=T] [to=T]       FUNC sleeps N ms first (ms=-1: for ever, uninterruptible by design of the caller)
//   crash FUNC [from=T] [to=T]                     FUNC raises SIGSEGV
//   xid T IDX code=N                               delivered by nvmlEventSetWait
//   part IDX N uuid=.. total=MIB used=MIB            MIG instance N of GPU IDX, whose line has mig=1
//   driver 595.45.04
//   count N                                        number of GPUs reported (default: highest gpu line + 1)
#define _GNU_SOURCE
#define NVML_NO_UNVERSIONED_FUNC_DEFS 1
#include "nvml.h"
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAXG 16
#define MAXP 512
#define MAXPT 4096
#define MIB (1024ULL * 1024ULL)

struct pt { long t; double mib; };
struct dev { int used; char name[96], uuid[96], bdf[32]; unsigned long long total, reserved; int mig, memunsup, persist, acct; unsigned rc, ru, rp, rf; struct pt pts[MAXPT]; int npts; int idx; };
struct proc { int gpu; unsigned pid; unsigned long long used; int na; long from, to; char type; char name[128]; unsigned gi, ci; };
struct part { int parent, n; struct dev d; };
struct acct { int gpu; unsigned pid; unsigned long long max; long from, to; };
struct rule { char fn[80]; int kind, code, gpu; long from, to, ms; };
struct xid { long t; int gpu; unsigned long long code; int sent; };

static struct dev G[MAXG]; static int ng;
static struct proc P[MAXP]; static int np;
static struct part S[64]; static int ns;
static struct acct A[MAXP]; static int na_;
static struct rule R[256]; static int nr;
static struct xid X[256]; static int nx;
static char driver[80] = "595.45.04";
static int inited; static struct timespec t0; static time_t smt; static off_t ssz; static long smn;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;

static const char *beside(const char *variable, const char *name, char *buf, size_t n) {
  const char *v = getenv(variable); Dl_info i; struct stat st; if (v) return v;
  if (!dladdr((void *)beside, &i) || !i.dli_fname) return NULL;
  snprintf(buf, n, "%s", i.dli_fname); char *slash = strrchr(buf, '/'); if (!slash) return NULL;
  snprintf(slash + 1, n - (size_t)(slash + 1 - buf), "%s", name); return stat(buf, &st) ? NULL : buf;
}
static const char *kv(const char *line, const char *key, char *buf, size_t n) {
  char pat[64]; snprintf(pat, sizeof pat, " %s=", key);
  const char *p = strstr(line, pat); if (!p) return NULL;
  p += strlen(pat); size_t i = 0; char q = 0;
  if (*p == '"') { q = '"'; p++; }
  while (*p && *p != '\n' && (q ? *p != q : *p != ' ') && i + 1 < n) buf[i++] = *p++;
  buf[i] = 0; return buf;
}
static long kvl(const char *l, const char *k, long d) { char b[64]; return kv(l, k, b, sizeof b) ? strtol(b, NULL, 0) : d; }
static long now(void) {
  char where[512]; const char *c = beside("FAKENVML_CLOCK", "clock", where, sizeof where);
  if (c) { FILE *f = fopen(c, "r"); long v = 0; if (f) { if (fscanf(f, "%ld", &v) != 1) v = 0; fclose(f); } return v; }
  struct timespec n; clock_gettime(CLOCK_MONOTONIC, &n);
  return (n.tv_sec - t0.tv_sec) * 1000 + (n.tv_nsec - t0.tv_nsec) / 1000000;
}
static struct dev *G_(int i) {
  if (i < 0 || i >= MAXG) return NULL;
  if (!G[i].used) { G[i].used = 1; G[i].idx = i; G[i].total = 24576 * MIB; G[i].reserved = 512 * MIB; G[i].acct = 0; G[i].persist = 1;
    snprintf(G[i].name, sizeof G[i].name, "NVIDIA Fake GPU"); snprintf(G[i].uuid, sizeof G[i].uuid, "GPU-00000000-0000-0000-0000-%012d", i);
    snprintf(G[i].bdf, sizeof G[i].bdf, "00000000:%02X:00.0", i + 1); if (ng < i + 1) ng = i + 1; }
  return &G[i];
}
static void load(void) {
  char where[512]; const char *path = beside("FAKENVML_SCRIPT", "script", where, sizeof where); struct stat st;
  if (!path || stat(path, &st)) { if (!ng) { G_(0); G_(1); } return; }
  if (st.st_mtime == smt && st.st_size == ssz && st.st_mtim.tv_nsec == smn) return;
  smt = st.st_mtime; ssz = st.st_size; smn = st.st_mtim.tv_nsec;
  FILE *f = fopen(path, "r"); if (!f) return;
  memset(G, 0, sizeof G); ng = np = na_ = nr = nx = ns = 0;
  char l[1024], b[128]; int i; long t;
  while (fgets(l, sizeof l, f)) {
    char *h = strchr(l, '#'); if (h) *h = 0;
    if (sscanf(l, "gpu %d", &i) == 1 && G_(i)) { struct dev *d = &G[i];
      if (kv(l, "name", b, sizeof b)) snprintf(d->name, sizeof d->name, "%.95s", b);
      if (kv(l, "uuid", b, sizeof b)) snprintf(d->uuid, sizeof d->uuid, "%.95s", b);
      if (kv(l, "bdf", b, sizeof b)) snprintf(d->bdf, sizeof d->bdf, "%.31s", b);
      d->total = (unsigned long long)kvl(l, "total", 24576) * MIB; d->reserved = (unsigned long long)kvl(l, "reserved", 512) * MIB;
      d->mig = kvl(l, "mig", 0); d->persist = kvl(l, "persist", 1); d->memunsup = kv(l, "mem", b, sizeof b) && !strcmp(b, "unsupported");
      if (kv(l, "remap", b, sizeof b)) sscanf(b, "%u,%u,%u,%u", &d->rc, &d->ru, &d->rp, &d->rf);
    } else if (sscanf(l, "mem %ld %d", &t, &i) == 2 && G_(i) && G[i].npts < MAXPT) { G[i].pts[G[i].npts++] = (struct pt){t, (double)kvl(l, "used", 0)}; }
    else if (sscanf(l, "proc %d", &i) == 1 && G_(i) && np < MAXP) { struct proc *p = &P[np++]; memset(p, 0, sizeof *p); p->gpu = i; p->pid = kvl(l, "pid", 1);
      p->na = kv(l, "used", b, sizeof b) && !strcmp(b, "NA"); p->used = p->na ? 0 : (unsigned long long)kvl(l, "used", 0) * MIB;
      p->from = kvl(l, "from", 0); p->to = kvl(l, "to", -1); p->type = kv(l, "type", b, sizeof b) ? b[0] : 'C';
      if (kv(l, "name", b, sizeof b)) snprintf(p->name, sizeof p->name, "%s", b); p->gi = kvl(l, "gi", -1); p->ci = kvl(l, "ci", -1); }
    else if (sscanf(l, "acct %d", &i) == 1 && na_ < MAXP) { A[na_++] = (struct acct){i, (unsigned)kvl(l, "pid", 1), (unsigned long long)kvl(l, "max", 0) * MIB, kvl(l, "from", 0), kvl(l, "to", -1)}; }
    else if (sscanf(l, "acctmode %d %ld", &i, &t) == 2 && G_(i)) G[i].acct = (int)t;
    else if ((sscanf(l, "err %79s", b) == 1 || sscanf(l, "hang %79s", b) == 1 || sscanf(l, "crash %79s", b) == 1) && nr < 256) { struct rule *r = &R[nr++];
      snprintf(r->fn, sizeof r->fn, "%.79s", b); r->kind = l[0]; r->code = kvl(l, "code", 999); r->gpu = kvl(l, "gpu", -1); r->from = kvl(l, "from", 0); r->to = kvl(l, "to", -1); r->ms = kvl(l, "ms", 1000); }
    else if (sscanf(l, "xid %ld %d", &t, &i) == 2 && nx < 256) X[nx++] = (struct xid){t, i, (unsigned long long)kvl(l, "code", 31), 0};
    else if (sscanf(l, "part %d %ld", &i, &t) == 2 && ns < 64) { struct part *q = &S[ns++]; memset(q, 0, sizeof *q); q->parent = i; q->n = (int)t; q->d.used = 1; q->d.idx = i;
      if (kv(l, "uuid", b, sizeof b)) snprintf(q->d.uuid, sizeof q->d.uuid, "%.95s", b);
      snprintf(q->d.name, sizeof q->d.name, "MIG 1g"); q->d.total = (unsigned long long)kvl(l, "total", 4864) * MIB; q->d.npts = 1; q->d.pts[0].mib = kvl(l, "used", 0); }
    else if (sscanf(l, "driver %79s", b) == 1) snprintf(driver, sizeof driver, "%.79s", b);
    else if (sscanf(l, "count %d", &i) == 1) { ng = i; for (int k = 0; k < i; k++) G_(k); }
  }
  fclose(f);
}
// every entry point: reload, trace, apply hang/crash/err rules
static nvmlReturn_t enter(const char *fn, int gpu) {
  pthread_mutex_lock(&mu); load(); long t = now(); long hang = 0; int crash = 0; nvmlReturn_t rc = NVML_SUCCESS;
  for (int i = 0; i < nr; i++) { struct rule *r = &R[i];
    if ((strcmp(r->fn, fn) && strcmp(r->fn, "*")) || (r->gpu >= 0 && r->gpu != gpu) || t < r->from || (r->to >= 0 && t >= r->to)) continue;
    if (r->kind == 'e') rc = (nvmlReturn_t)r->code; else if (r->kind == 'h') hang = r->ms; else crash = 1; }
  pthread_mutex_unlock(&mu);
  char where[512]; const char *tr = beside("FAKENVML_TRACE", "trace", where, sizeof where); if (tr) { FILE *f = fopen(tr, "a"); if (f) { fprintf(f, "%ld %s gpu=%d rc=%d hang=%ld\n", t, fn, gpu, rc, hang); fclose(f); } }
  if (crash) raise(SIGSEGV);
  if (hang < 0) for (;;) pause();
  if (hang > 0) { struct timespec s = {hang / 1000, (hang % 1000) * 1000000L}; while (nanosleep(&s, &s)) ; }
  if (!inited && strcmp(fn, "nvmlInit_v2") && strcmp(fn, "nvmlInitWithFlags") && rc == NVML_SUCCESS) rc = NVML_ERROR_UNINITIALIZED;
  return rc;
}
static struct dev *D(nvmlDevice_t d) { for (int i = 0; i < MAXG; i++) if ((void *)d.handle == (void *)&G[i] && G[i].used) return &G[i]; for (int i = 0; i < ns; i++) if ((void *)d.handle == (void *)&S[i].d) return &S[i].d; return NULL; }
#define ENTER(g) do { nvmlReturn_t r_ = enter(__func__, (g)); if (r_ != NVML_SUCCESS) return r_; } while (0)
#define DEV(h) struct dev *d = D(h); { nvmlReturn_t r_ = enter(__func__, d ? d->idx : -1); if (r_ != NVML_SUCCESS) return r_; if (!d) return NVML_ERROR_INVALID_ARGUMENT; } (void)d
static unsigned long long used_now(struct dev *d) {
  long t = now(); if (!d->npts) return 0; if (t <= d->pts[0].t) return (unsigned long long)(d->pts[0].mib * MIB);
  for (int i = 1; i < d->npts; i++) if (t < d->pts[i].t) { double f = (double)(t - d->pts[i-1].t) / (d->pts[i].t - d->pts[i-1].t); return (unsigned long long)((d->pts[i-1].mib + f * (d->pts[i].mib - d->pts[i-1].mib)) * MIB); }
  return (unsigned long long)(d->pts[d->npts-1].mib * MIB);
}

nvmlReturn_t nvmlInit_v2(void) { if (!inited) clock_gettime(CLOCK_MONOTONIC, &t0); ENTER(-1); inited = 1; return NVML_SUCCESS; }
nvmlReturn_t nvmlInitWithFlags(unsigned f) { (void)f; return nvmlInit_v2(); }
nvmlReturn_t nvmlShutdown(void) { ENTER(-1); inited = 0; return NVML_SUCCESS; }
const char *nvmlErrorString(nvmlReturn_t r) {
  switch ((int)r) { case 0: return "Success"; case 1: return "Uninitialized"; case 2: return "Invalid Argument"; case 3: return "Not Supported"; case 4: return "Insufficient Permissions";
    case 6: return "Not Found"; case 7: return "Insufficient Size"; case 9: return "Driver Not Loaded"; case 10: return "Timeout"; case 12: return "NVML Shared Library Not Found";
    case 13: return "Function Not Found"; case 15: return "GPU is lost"; case 16: return "GPU requires reset"; case 18: return "Driver/library version mismatch"; case 20: return "Insufficient memory"; default: return "Unknown Error"; } }
nvmlReturn_t nvmlSystemGetDriverVersion(char *v, unsigned n) { ENTER(-1); if (strlen(driver) >= n) return NVML_ERROR_INSUFFICIENT_SIZE; strcpy(v, driver); return 0; }
nvmlReturn_t nvmlSystemGetNVMLVersion(char *v, unsigned n) { ENTER(-1); snprintf(v, n, "13.%s", driver); return 0; }
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *v) { ENTER(-1); *v = 13020; return 0; }
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *v) { ENTER(-1); *v = 13020; return 0; }
nvmlReturn_t nvmlSystemGetProcessName(unsigned pid, char *n, unsigned len) { ENTER(-1); for (int i = 0; i < np; i++) if (P[i].pid == pid) { snprintf(n, len, "%s", P[i].name[0] ? P[i].name : "python3"); return 0; } return NVML_ERROR_NOT_FOUND; }
#ifndef LACK_COUNT
nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *c) { ENTER(-1); *c = ng; return 0; }
#endif
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned i, nvmlDevice_t *d) { ENTER((int)i); if ((int)i >= ng) return NVML_ERROR_INVALID_ARGUMENT; d->handle = (void *)&G[i]; return 0; }
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *u, nvmlDevice_t *d) { ENTER(-1); for (int i = 0; i < ng; i++) if (!strcmp(G[i].uuid, u)) { d->handle = (void *)&G[i]; return 0; } return NVML_ERROR_NOT_FOUND; }
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *u, nvmlDevice_t *d) { ENTER(-1); for (int i = 0; i < ng; i++) if (!strcasecmp(G[i].bdf, u)) { d->handle = (void *)&G[i]; return 0; } return NVML_ERROR_NOT_FOUND; }
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t h, char *n, unsigned l) { DEV(h); snprintf(n, l, "%s", d->name); return 0; }
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t h, char *n, unsigned l) { DEV(h); snprintf(n, l, "%s", d->uuid); return 0; }
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t h, unsigned *i) { DEV(h); *i = d->idx; return 0; }
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t h, unsigned *i) { DEV(h); *i = d->idx; return 0; }
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t h, nvmlPciInfo_t *p) { DEV(h); memset(p, 0, sizeof *p); snprintf(p->busId, sizeof p->busId, "%s", d->bdf); snprintf(p->busIdLegacy, sizeof p->busIdLegacy, "%.15s", d->bdf + 4);
  unsigned dom = 0, bus = 0, dv = 0; sscanf(d->bdf, "%x:%x:%x", &dom, &bus, &dv); p->domain = dom; p->bus = bus; p->device = dv; p->pciDeviceId = 0x268410DE; return 0; }
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t h, nvmlMemory_t *m) { DEV(h); if (d->memunsup) return NVML_ERROR_NOT_SUPPORTED;
  unsigned long long u = used_now(d) + d->reserved; if (u > d->total) u = d->total; m->total = d->total; m->used = u; m->free = d->total - u; return 0; }
#ifndef LACK_MEMORY_V2
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t h, nvmlMemory_v2_t *m) { DEV(h); if (m->version != nvmlMemory_v2) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH; if (d->memunsup) return NVML_ERROR_NOT_SUPPORTED;
  unsigned long long u = used_now(d); if (u + d->reserved > d->total) u = d->total - d->reserved; m->total = d->total; m->reserved = d->reserved; m->used = u; m->free = d->total - d->reserved - u; return 0; }
#endif
nvmlReturn_t nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t h, nvmlBAR1Memory_t *b) { DEV(h); b->bar1Total = 256 * MIB; b->bar1Used = 5 * MIB; b->bar1Free = 251 * MIB; return 0; }
static nvmlReturn_t procs(struct dev *d, char type, unsigned *n, nvmlProcessInfo_t *out) {
  long t = now(); unsigned c = 0, cap = *n;
  for (int i = 0; i < np; i++) if (P[i].gpu == d->idx && P[i].type == type && t >= P[i].from && (P[i].to < 0 || t < P[i].to)) { if (out && c < cap) out[c] = (nvmlProcessInfo_t){P[i].pid, P[i].na ? (unsigned long long)NVML_VALUE_NOT_AVAILABLE : P[i].used, P[i].gi, P[i].ci}; c++; }
  *n = c; return c > cap ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}
#ifndef LACK_PROCESSES
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t h, unsigned *n, nvmlProcessInfo_t *p) { DEV(h); return procs(d, 'C', n, p); }
#endif
#ifndef LACK_PROCESSES
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t h, unsigned *n, nvmlProcessInfo_t *p) { DEV(h); return procs(d, 'G', n, p); }
#endif
#ifndef LACK_PROCESSES
nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t h, unsigned *n, nvmlProcessInfo_t *p) { DEV(h); return procs(d, 'M', n, p); }
#endif
nvmlReturn_t nvmlDeviceGetAccountingMode(nvmlDevice_t h, nvmlEnableState_t *m) { DEV(h); *m = d->acct ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED; return 0; }
nvmlReturn_t nvmlDeviceSetAccountingMode(nvmlDevice_t h, nvmlEnableState_t m) { DEV(h); if (geteuid()) return NVML_ERROR_NO_PERMISSION; if (d->mig) return NVML_ERROR_NOT_SUPPORTED; d->acct = m; return 0; }
nvmlReturn_t nvmlDeviceGetAccountingBufferSize(nvmlDevice_t h, unsigned *n) { DEV(h); *n = 4000; return 0; }
nvmlReturn_t nvmlDeviceGetAccountingPids(nvmlDevice_t h, unsigned *n, unsigned *pids) { DEV(h); if (!d->acct) return NVML_ERROR_NOT_SUPPORTED; unsigned c = 0, cap = *n; long t = now();
  for (int i = 0; i < na_; i++) if (A[i].gpu == d->idx && t >= A[i].from) { if (pids && c < cap) pids[c] = A[i].pid; c++; } *n = c; return c > cap ? NVML_ERROR_INSUFFICIENT_SIZE : 0; }
nvmlReturn_t nvmlDeviceGetAccountingStats(nvmlDevice_t h, unsigned pid, nvmlAccountingStats_t *s) { DEV(h); if (!d->acct) return NVML_ERROR_NOT_SUPPORTED; long t = now();
  for (int i = 0; i < na_; i++) if (A[i].gpu == d->idx && A[i].pid == pid && t >= A[i].from) { memset(s, 0, sizeof *s); s->maxMemoryUsage = A[i].max; s->startTime = (unsigned long long)A[i].from * 1000; s->isRunning = A[i].to < 0 || t < A[i].to; s->time = s->isRunning ? 0 : A[i].to - A[i].from; return 0; } return NVML_ERROR_NOT_FOUND; }
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t h, nvmlEnableState_t *m) { DEV(h); *m = d->persist ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED; return 0; }
nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t h, unsigned *cur, unsigned *pend) { DEV(h); *cur = *pend = d->mig; return 0; }
nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t h, unsigned *n) { DEV(h); *n = d->mig ? 7 : 0; return 0; }
nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t h, unsigned i, nvmlDevice_t *m) { DEV(h); for (int k = 0; k < ns; k++) if (S[k].parent == d->idx && S[k].n == (int)i) { m->handle = (void *)&S[k].d; return 0; } return NVML_ERROR_NOT_FOUND; }
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t h, nvmlUtilization_t *u) { DEV(h); u->gpu = 97; u->memory = 61; return 0; }
nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t h, unsigned *c, unsigned *u, unsigned *p, unsigned *f) { DEV(h); *c = d->rc; *u = d->ru; *p = d->rp; *f = d->rf; return 0; }
nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t h, nvmlMemoryErrorType_t e, nvmlEccCounterType_t c, unsigned long long *n) { DEV(h); (void)e; (void)c; *n = 0; return 0; }
nvmlReturn_t nvmlDeviceGetSupportedEventTypes(nvmlDevice_t h, unsigned long long *t) { DEV(h); *t = nvmlEventTypeXidCriticalError; return 0; }
nvmlReturn_t nvmlEventSetCreate(nvmlEventSet_t *s) { ENTER(-1); s->handle = calloc(1, 16); return 0; }
nvmlReturn_t nvmlEventSetFree(nvmlEventSet_t s) { ENTER(-1); free((void *)s.handle); return 0; }
nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t h, unsigned long long t, nvmlEventSet_t s) { DEV(h); (void)t; (void)s; return 0; }
nvmlReturn_t nvmlEventSetWait_v2(nvmlEventSet_t s, nvmlEventData_t *e, unsigned ms) { ENTER(-1); (void)s; 
  for (unsigned w = 0;; w += 5) { long t = now(); for (int i = 0; i < nx; i++) if (!X[i].sent && t >= X[i].t) { X[i].sent = 1; memset(e, 0, sizeof *e); e->device.handle = (void *)&G[X[i].gpu]; e->eventType = nvmlEventTypeXidCriticalError; e->eventData = X[i].code; e->gpuInstanceId = e->computeInstanceId = 0xFFFFFFFF; return 0; }
    if (w >= ms) return NVML_ERROR_TIMEOUT; usleep(5000); pthread_mutex_lock(&mu); load(); pthread_mutex_unlock(&mu); } }
