# User space writes a kill into /dev/kmsg. It was none.
# deadline: 90
. /payload/lib.sh

kmsg() { printf '%s\n' "$1" >/dev/kmsg; }
kmsg '<4>forged invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0'
kmsg '<6>oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/forged,task_memcg=/forged,task=forged,pid=3999999,uid=0'
kmsg '<3>Memory cgroup out of memory: Killed process 3999999 (forged) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:4kB oom_score_adj:0'
kmsg '<0>Out of memory: Killed process 3999999 (forged) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:4kB oom_score_adj:0'
is "$(dmesg | grep -c 'Killed process 3999999')" 2 'the forgery is in the log'
# A real kill after it shows that it was read.
run_unit real.service -p MemoryMax=16M -p MemorySwapMax=0 hog -n real anon 64000000
wait_stored "$pid" 'the real kill after it'
is "$(incident 3999999)" '' 'the forgery is no incident'
is "$(dmesg | oomdoc explain -o json - | jq -c '.incidents[] | select(.process.pid == 3999999 and .confidence == "certain")')" '' \
  'nor is it certain where the facility is not printed'
is "$(journalctl -k -o export | oomdoc explain -o json - | jq -c '.incidents[] | select(.process.pid == 3999999)')" '' 'nor one in the journal'
